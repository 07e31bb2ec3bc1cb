/** The functions that generate or that ask nodes. */
import type { Props } from "../framework/types";
import { flag, list, plainProps, record, text } from "../framework/values";
import { clusterEndpointFault } from "./cluster-endpoint";
import { fetchKubeconfig } from "./kubeconfig";
import type { MachineConfigs } from "./machine-config";
import type { NodeClient } from "./node-client";
import { withoutNulls } from "./plan";
import { renderTalosconfig } from "./talosconfig";
import { summarised, targetOf, timeoutOf } from "./targets";

export type Invoked = (args: Props, preview: boolean) => Promise<Props>;

const strings = (props: Props, key: string): string[] =>
  list(props, key).filter((item): item is string => typeof item === "string");

const required = (props: Props, key: string, terraformName: string): string => {
  const value = text(props, key);
  if (value !== undefined) return value;
  throw new Error(
    `Missing required argument: The argument "${terraformName}" is required, but no definition was found.`,
  );
};

/** Arguments are echoed; the bridge strips secret marks from a function's answer. */
const echo = (args: Props, answer: Props): Props => withoutNulls({ ...args, ...answer });

const machineTypeOf = (args: Props): "controlplane" | "worker" => {
  const type = required(args, "machineType", "machine_type");
  if (type === "controlplane" || type === "worker") return type;
  throw new Error(
    `Invalid Attribute Value Match: Attribute machine_type value must be one of: ["controlplane" "worker"], got: ${JSON.stringify(type)}`,
  );
};

async function machineConfiguration(configs: MachineConfigs, args: Props): Promise<Props> {
  const clusterName = required(args, "clusterName", "cluster_name");
  const clusterEndpoint = required(args, "clusterEndpoint", "cluster_endpoint");
  const fault = clusterEndpointFault(clusterEndpoint);
  if (fault !== undefined) throw new Error(`cluster_endpoint is invalid: ${fault}`);
  const config = await configs.generate({
    clusterName,
    clusterEndpoint,
    machineType: machineTypeOf(args),
    machineSecrets: record(args, "machineSecrets"),
    configPatches: strings(args, "configPatches"),
    kubernetesVersion: text(args, "kubernetesVersion"),
    talosVersion: text(args, "talosVersion"),
    docs: flag(args, "docs") ?? false,
    examples: flag(args, "examples") ?? false,
  });
  return echo(args, { id: clusterName, machineConfiguration: config });
}

async function talosconfig(args: Props): Promise<Props> {
  const client = record(args, "clientConfiguration");
  const clusterName = required(args, "clusterName", "cluster_name");
  const talosConfig = renderTalosconfig({
    clusterName,
    caCertificate: required(client, "caCertificate", "ca_certificate"),
    clientCertificate: required(client, "clientCertificate", "client_certificate"),
    clientKey: required(client, "clientKey", "client_key"),
    endpoints: strings(args, "endpoints"),
    nodes: strings(args, "nodes"),
  });
  return echo(args, { id: clusterName, talosConfig });
}

async function disks(nodes: NodeClient, args: Props): Promise<Props> {
  const selector = text(args, "selector");
  if (selector !== undefined && selector !== "true")
    throw new Error(`failed to parse celenv selector: this stand-in has no CEL; leave selector out`);
  const target = targetOf(args);
  const call = nodes.call({ op: "disks", ...target }, { timeoutMs: timeoutOf(args, "read") });
  const answer = await summarised("failed to get list of disks", call);
  const { disks: found = [] } = (answer ?? {}) as { disks?: Props[] };
  const whole = found.map((disk) => ({
    ...disk,
    symlinks: list(disk, "symlinks"),
    secondaryDisks: list(disk, "secondaryDisks"),
  }));
  return echo(args, { id: "machine_disks", endpoint: target.endpoint, disks: whole });
}

async function kubeconfig(nodes: NodeClient, args: Props): Promise<Props> {
  const fetched = await fetchKubeconfig(nodes, args, { timeoutMs: timeoutOf(args, "read") });
  const { clusterName, kubeconfigRaw, kubernetesClientConfiguration } = fetched;
  const { endpoint } = targetOf(args);
  return echo(args, { id: clusterName, endpoint, kubeconfigRaw, kubernetesClientConfiguration });
}

async function health(nodes: NodeClient, args: Props): Promise<Props> {
  const endpoints = strings(args, "endpoints");
  const timeoutMs = timeoutOf(args, "read");
  const request = {
    op: "health",
    endpoint: endpoints[0] ?? "",
    // The provider names no node where it asks for etcd's members.
    node: "",
    clientConfiguration: record(args, "clientConfiguration"),
    endpoints,
    controlPlaneNodes: strings(args, "controlPlaneNodes"),
    workerNodes: strings(args, "workerNodes"),
    skipKubernetesChecks: flag(args, "skipKubernetesChecks") ?? false,
  } as const;
  await summarised("cluster health check failed", nodes.call(request, { timeoutMs }));
  return echo(args, { id: "cluster_health" });
}

export const nodeFunctions = (
  configs: MachineConfigs,
  nodes: NodeClient,
): Readonly<Record<string, Invoked>> => ({
  "talos:machine/getConfiguration:getConfiguration": (args) =>
    machineConfiguration(configs, plainProps(args)),
  "talos:client/getConfiguration:getConfiguration": (args) => talosconfig(plainProps(args)),
  "talos:machine/getDisks:getDisks": (args) => disks(nodes, plainProps(args)),
  "talos:cluster/getKubeconfig:getKubeconfig": (args) => kubeconfig(nodes, plainProps(args)),
  "talos:cluster/getHealth:getHealth": (args) => health(nodes, plainProps(args)),
});
