import { outputFunction, plainFunction, type FunctionSpec } from "../core";
import type { Args } from "../types/args";
import type { input, output } from "../types";

const spec: FunctionSpec = {
  token: "talos:imageFactory/getExtensionsVersions:getExtensionsVersions",
  inputs: ["exactFilters", "filters", "talosVersion"],
};

export interface GetExtensionsVersionsArgs {
  exactFilters?: input.imageFactory.GetExtensionsVersionsExactFilters | undefined;
  /** Names are matched as substrings. */
  filters?: input.imageFactory.GetExtensionsVersionsFilters | undefined;
  talosVersion: string;
}

export type GetExtensionsVersionsOutputArgs = Args<GetExtensionsVersionsArgs>;

export interface GetExtensionsVersionsResult {
  readonly exactFilters?: output.imageFactory.GetExtensionsVersionsExactFilters;
  readonly extensionsInfos: output.imageFactory.GetExtensionsVersionsExtensionsInfo[];
  readonly filters?: output.imageFactory.GetExtensionsVersionsFilters;
  readonly id: string;
  readonly talosVersion: string;
}

/** Official system extensions of a Talos version. */
export const getExtensionsVersions = plainFunction<GetExtensionsVersionsArgs, GetExtensionsVersionsResult>(
  spec,
);
export const getExtensionsVersionsOutput = outputFunction<
  GetExtensionsVersionsOutputArgs,
  GetExtensionsVersionsResult
>(spec);
