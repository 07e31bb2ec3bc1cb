import { outputFunction, plainFunction, type FunctionSpec } from "../core";
import type { Args } from "../types/args";
import type { input, output } from "../types";

const spec: FunctionSpec = {
  token: "talos:cluster/getKubeconfig:getKubeconfig",
  inputs: ["clientConfiguration", "endpoint", "node", "timeouts", "wait"],
};

export interface GetKubeconfigArgs {
  clientConfiguration: input.cluster.GetKubeconfigClientConfiguration;
  endpoint?: string | undefined;
  node: string;
  timeouts?: input.cluster.GetKubeconfigTimeouts | undefined;
  /** Without effect. */
  wait?: boolean | undefined;
}

export type GetKubeconfigOutputArgs = Args<GetKubeconfigArgs>;

export interface GetKubeconfigResult {
  readonly clientConfiguration: output.cluster.GetKubeconfigClientConfiguration;
  readonly endpoint: string;
  readonly id: string;
  readonly kubeconfigRaw: string;
  readonly kubernetesClientConfiguration: output.cluster.GetKubeconfigKubernetesClientConfiguration;
  readonly node: string;
  readonly timeouts?: output.cluster.GetKubeconfigTimeouts;
  readonly wait?: boolean;
}

/** Fetches a kubeconfig; deprecated by the provider in favour of the resource. */
export const getKubeconfig = plainFunction<GetKubeconfigArgs, GetKubeconfigResult>(spec);
export const getKubeconfigOutput = outputFunction<GetKubeconfigOutputArgs, GetKubeconfigResult>(spec);
