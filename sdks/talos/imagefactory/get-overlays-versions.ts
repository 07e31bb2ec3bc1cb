import { outputFunction, plainFunction, type FunctionSpec } from "../core";
import type { Args } from "../types/args";
import type { input, output } from "../types";

const spec: FunctionSpec = {
  token: "talos:imageFactory/getOverlaysVersions:getOverlaysVersions",
  inputs: ["filters", "talosVersion"],
};

export interface GetOverlaysVersionsArgs {
  filters?: input.imageFactory.GetOverlaysVersionsFilters | undefined;
  talosVersion: string;
}

export type GetOverlaysVersionsOutputArgs = Args<GetOverlaysVersionsArgs>;

export interface GetOverlaysVersionsResult {
  readonly filters?: output.imageFactory.GetOverlaysVersionsFilters;
  readonly id: string;
  readonly overlaysInfos: output.imageFactory.GetOverlaysVersionsOverlaysInfo[];
  readonly talosVersion: string;
}

/** Official board overlays of a Talos version. */
export const getOverlaysVersions = plainFunction<GetOverlaysVersionsArgs, GetOverlaysVersionsResult>(spec);
export const getOverlaysVersionsOutput = outputFunction<
  GetOverlaysVersionsOutputArgs,
  GetOverlaysVersionsResult
>(spec);
