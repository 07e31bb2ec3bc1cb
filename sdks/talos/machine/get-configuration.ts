import { outputFunction, plainFunction, type FunctionSpec } from "../core";
import type { Args } from "../types/args";
import type { input, output } from "../types";

const spec: FunctionSpec = {
  token: "talos:machine/getConfiguration:getConfiguration",
  inputs: [
    "clusterEndpoint",
    "clusterName",
    "configPatches",
    "docs",
    "examples",
    "kubernetesVersion",
    "machineSecrets",
    "machineType",
    "talosVersion",
  ],
};

export interface GetConfigurationArgs {
  /** `https://host:port`. */
  clusterEndpoint: string;
  clusterName: string;
  /** Strategic merge patches, JSON or YAML; a string without newline, space, [ or { is taken as a file name. */
  configPatches?: string[] | undefined;
  docs?: boolean | undefined;
  examples?: boolean | undefined;
  kubernetesVersion?: string | undefined;
  machineSecrets: input.machine.MachineSecrets;
  /** `controlplane` or `worker`. */
  machineType: string;
  /** Version contract, not the installed version. */
  talosVersion?: string | undefined;
}

export type GetConfigurationOutputArgs = Args<GetConfigurationArgs>;

export interface GetConfigurationResult {
  readonly clusterEndpoint: string;
  readonly clusterName: string;
  readonly configPatches?: string[];
  readonly docs?: boolean;
  readonly examples?: boolean;
  readonly id: string;
  readonly kubernetesVersion?: string;
  readonly machineConfiguration: string;
  readonly machineSecrets: output.machine.MachineSecrets;
  readonly machineType: string;
  readonly talosVersion?: string;
}

/** Generates a machine config; local to the plugin, the same bytes for the same inputs. */
export const getConfiguration = plainFunction<GetConfigurationArgs, GetConfigurationResult>(spec);
export const getConfigurationOutput = outputFunction<GetConfigurationOutputArgs, GetConfigurationResult>(
  spec,
);
