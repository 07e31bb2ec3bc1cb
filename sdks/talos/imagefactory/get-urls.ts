import { outputFunction, plainFunction, type FunctionSpec } from "../core";
import type { Args } from "../types/args";
import type { output } from "../types";

const spec: FunctionSpec = {
  token: "talos:imageFactory/getUrls:getUrls",
  inputs: ["architecture", "platform", "sbc", "schematicId", "talosVersion"],
};

export interface GetUrlsArgs {
  architecture?: string | undefined;
  /** Exactly one of this and `sbc`. */
  platform?: string | undefined;
  sbc?: string | undefined;
  schematicId: string;
  talosVersion: string;
}

export type GetUrlsOutputArgs = Args<GetUrlsArgs>;

export interface GetUrlsResult {
  readonly architecture: string;
  readonly id: string;
  readonly platform?: string;
  readonly sbc?: string;
  readonly schematicId: string;
  readonly talosVersion: string;
  readonly urls: output.imageFactory.GetUrlsUrls;
}

/** Addresses of a schematic's assets; no request is made. */
export const getUrls = plainFunction<GetUrlsArgs, GetUrlsResult>(spec);
export const getUrlsOutput = outputFunction<GetUrlsOutputArgs, GetUrlsResult>(spec);
