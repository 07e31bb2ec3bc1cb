import * as pulumi from "@pulumi/pulumi";
import { operations } from "../agreed/operations";
import type { MachineSecrets } from "./machine-secrets";
import { operation } from "./operation";
import { talosconfig } from "./talosconfig";
import { tokens } from "./tokens";
import type { Access, ClusterNode, Nodes } from "./types";

export interface DeparturesArgs {
  readonly clusterName: string;
  readonly nodes: Nodes;
  readonly identity: MachineSecrets;
  readonly access: Pick<Access, "kubeconfig">;
  /** With it everything goes, and nobody needs to be told. */
  readonly network: pulumi.Resource;
}

/**
 * What happens before a node's machine goes for good: it leaves etcd, and Kubernetes forgets it. A whole destroy skips it.
 * Control planes go one after the other, the last first: two at once would take the majority with them.
 */
export class Departures extends pulumi.ComponentResource {
  constructor(name: string, args: DeparturesArgs, opts?: pulumi.ComponentResourceOptions) {
    super(tokens.departures, name, {}, opts);
    const { all, controlPlanes } = args.nodes;
    const input = this.sharedInput(args);
    const after = (node: ClusterNode, earlier: readonly pulumi.Resource[]): pulumi.Resource =>
      operation(
        `${node.name}-departure`,
        { onDelete: operations.removeNode, input: { ...input, node: described(node), machine: node.id } },
        {
          parent: this,
          deletedWith: args.network,
          // Deleted in the opposite order: no value flows between two departures.
          dependsOn: [...earlier],
        },
      );
    controlPlanes.reduce<pulumi.Resource[]>((done, node) => [after(node, done.slice(-1))], []);
    all.filter(({ role }) => role === "worker").forEach((node) => after(node, []));
    this.registerOutputs({});
  }

  /** Of the control planes alone: a pool that grows must change nothing here. */
  private sharedInput({ clusterName, nodes: { controlPlanes }, identity, access }: DeparturesArgs) {
    return {
      kubeconfig: access.kubeconfig,
      talosconfig: talosconfig({ clusterName, identity, nodes: { all: controlPlanes, controlPlanes } }),
      controlPlanes: pulumi.all(controlPlanes.map(withoutRole)),
    };
  }
}

const described = ({ name, role, address, talosEndpoint }: ClusterNode) =>
  talosEndpoint.apply((endpoint) => ({ name, role, address, endpoint }));

const withoutRole = (node: ClusterNode) =>
  described(node).apply(({ name, address, endpoint }) => ({ name, address, endpoint }));
