import { outputFunction, plainFunction, type FunctionSpec } from "../core";
import type { Args } from "../types/args";
import type { input, output } from "../types";

const spec: FunctionSpec = {
  token: "talos:machine/getDisks:getDisks",
  inputs: ["clientConfiguration", "endpoint", "node", "selector", "timeouts"],
};

export interface GetDisksArgs {
  clientConfiguration: input.machine.GetDisksClientConfiguration;
  endpoint?: string | undefined;
  node: string;
  /** A CEL expression over `disk`. */
  selector?: string | undefined;
  timeouts?: input.machine.GetDisksTimeouts | undefined;
}

export type GetDisksOutputArgs = Args<GetDisksArgs>;

export interface GetDisksResult {
  readonly clientConfiguration: output.machine.GetDisksClientConfiguration;
  readonly disks: output.machine.GetDisksDisk[];
  readonly endpoint: string;
  readonly id: string;
  readonly node: string;
  readonly selector?: string;
  readonly timeouts?: output.machine.GetDisksTimeouts;
}

/** Lists a node's disks; asks the node, in previews too. */
export const getDisks = plainFunction<GetDisksArgs, GetDisksResult>(spec);
export const getDisksOutput = outputFunction<GetDisksOutputArgs, GetDisksResult>(spec);
