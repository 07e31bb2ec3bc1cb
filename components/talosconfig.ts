/** The talosconfig: known as soon as nodes have addresses, and needed before there is a cluster. */
import * as pulumi from "@pulumi/pulumi";
import * as talos from "@pulumiverse/talos";
import type { MachineSecrets } from "./machine-secrets";
import type { ClusterNode } from "./types";

export interface TalosconfigArgs {
  readonly clusterName: string;
  readonly identity: MachineSecrets;
  readonly nodes: {
    readonly all: readonly Pick<ClusterNode, "address">[];
    readonly controlPlanes: readonly Pick<ClusterNode, "talosEndpoint">[];
  };
}

/** Complete: endpoints are the control planes, nodes are all of them, so that no flag is needed. Secret. */
export function talosconfig(args: TalosconfigArgs): pulumi.Output<string> {
  const configuration = talos.client.getConfigurationOutput({
    clusterName: args.clusterName,
    clientConfiguration: args.identity.clientConfiguration,
    endpoints: pulumi.all(args.nodes.controlPlanes.map((node) => node.talosEndpoint)),
    nodes: args.nodes.all.map((node) => node.address),
  });
  return pulumi.secret(configuration.talosConfig);
}
