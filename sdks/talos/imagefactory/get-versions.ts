import type * as pulumi from "@pulumi/pulumi";
import { outputFunction, plainFunction, type FunctionSpec } from "../core";
import type { Args } from "../types/args";
import type { input, output } from "../types";

const spec: FunctionSpec = { token: "talos:imageFactory/getVersions:getVersions", inputs: ["filters"] };

export interface GetVersionsArgs {
  filters?: input.imageFactory.GetVersionsFilters | undefined;
}

export type GetVersionsOutputArgs = Args<GetVersionsArgs>;

export interface GetVersionsResult {
  readonly filters?: output.imageFactory.GetVersionsFilters;
  readonly id: string;
  readonly talosVersions: string[];
}

const plain = plainFunction<GetVersionsArgs, GetVersionsResult>(spec);
const lifted = outputFunction<GetVersionsOutputArgs, GetVersionsResult>(spec);

/** Talos versions that the factory builds. */
export const getVersions = (
  args: GetVersionsArgs = {},
  opts?: pulumi.InvokeOptions,
): Promise<GetVersionsResult> => plain(args, opts);
export const getVersionsOutput = (
  args: GetVersionsOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetVersionsResult> => lifted(args, opts);
