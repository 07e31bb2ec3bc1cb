import { outputFunction, plainFunction, type FunctionSpec } from "../core";
import type { Args } from "../types/args";
import type { input, output } from "../types";

const spec: FunctionSpec = {
  token: "talos:client/getConfiguration:getConfiguration",
  inputs: ["clientConfiguration", "clusterName", "endpoints", "nodes"],
};

export interface GetConfigurationArgs {
  clientConfiguration: input.client.GetConfigurationClientConfiguration;
  clusterName: string;
  endpoints?: string[] | undefined;
  nodes?: string[] | undefined;
}

export type GetConfigurationOutputArgs = Args<GetConfigurationArgs>;

export interface GetConfigurationResult {
  readonly clientConfiguration: output.client.GetConfigurationClientConfiguration;
  readonly clusterName: string;
  readonly endpoints?: string[];
  readonly id: string;
  readonly nodes?: string[];
  readonly talosConfig: string;
}

/** Renders a talosconfig; local to the plugin. */
export const getConfiguration = plainFunction<GetConfigurationArgs, GetConfigurationResult>(spec);
export const getConfigurationOutput = outputFunction<GetConfigurationOutputArgs, GetConfigurationResult>(
  spec,
);
