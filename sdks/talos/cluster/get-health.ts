import { outputFunction, plainFunction, type FunctionSpec } from "../core";
import type { Args } from "../types/args";
import type { input, output } from "../types";

const spec: FunctionSpec = {
  token: "talos:cluster/getHealth:getHealth",
  inputs: [
    "clientConfiguration",
    "controlPlaneNodes",
    "endpoints",
    "skipKubernetesChecks",
    "timeouts",
    "workerNodes",
  ],
};

export interface GetHealthArgs {
  clientConfiguration: input.cluster.GetHealthClientConfiguration;
  /** Addresses, not names; not empty. */
  controlPlaneNodes: string[];
  endpoints: string[];
  skipKubernetesChecks?: boolean | undefined;
  timeouts?: input.cluster.GetHealthTimeouts | undefined;
  workerNodes?: string[] | undefined;
}

export type GetHealthOutputArgs = Args<GetHealthArgs>;

export interface GetHealthResult {
  readonly clientConfiguration: output.cluster.GetHealthClientConfiguration;
  readonly controlPlaneNodes: string[];
  readonly endpoints: string[];
  readonly id: string;
  readonly skipKubernetesChecks?: boolean;
  readonly timeouts?: output.cluster.GetHealthTimeouts;
  readonly workerNodes?: string[];
}

/** Waits until the cluster is healthy or `timeouts.read` (10m) ends; runs in previews too. */
export const getHealth = plainFunction<GetHealthArgs, GetHealthResult>(spec);
export const getHealthOutput = outputFunction<GetHealthOutputArgs, GetHealthResult>(spec);
