/** The seam between stages: each gives one small read-only result, and the next takes no more than that. */
import type * as pulumi from "@pulumi/pulumi";
import type { MachinesInput } from "../agreed/operations";
import type { Role } from "../agreed/types";
import type { Turns } from "./turns";

/** Which image the nodes are installed from. Plain values: all of it is known before any network. */
export interface Image {
  /** SHA-256 of the canonical schematic, 64 hex digits. */
  readonly schematicId: string;
  /** `<factory host>/<platform>-installer/<id>:<version>`. */
  readonly installer: string;
  /** Exist once the factory knows the schematic and Talos takes the configs: everything else comes after. */
  readonly proofs: readonly pulumi.Resource[];
}

/** What machines stand on, made before any of them, and the one way to put machines on it. */
export interface Foundation {
  /** The machines, in maintenance mode, each reachable by its Talos endpoint. */
  build(turns: Turns): Nodes;
  /** Deleting it deletes everything that lives on the nodes. */
  readonly network: pulumi.Resource;
  /** By control plane: addresses that only exist once they are made, for that node's certificates. */
  readonly ownAddresses: Readonly<Record<string, pulumi.Output<string[]>>>;
}

/** The machine config of each node, by name. Secret. */
export type MachineConfigs = Readonly<Record<string, pulumi.Output<string>>>;

export interface ClusterNode {
  readonly name: string;
  readonly role: Role;
  /** The machine behind the name: changes when the server or container is replaced. */
  readonly id: pulumi.Output<string>;
  /** Address in the node network: what Talos calls `node`. */
  readonly address: string;
  /** Where the Talos API is reached from here: `host:port`. */
  readonly talosEndpoint: pulumi.Output<string>;
  /** Where this node's Kubernetes API is reached from here, for control planes: `https://host:port`. */
  readonly kubernetesEndpoint?: pulumi.Output<string>;
}

export interface Nodes {
  /** Control planes first, in the plan's order. */
  readonly all: readonly ClusterNode[];
  readonly controlPlanes: readonly ClusterNode[];
}

/** How operations reach what only a platform can tell of its machines: part of their input. */
export interface Machines {
  readonly machines: MachinesInput;
}

/** Exists only once etcd has been founded. */
export interface Bootstrapped {
  readonly founded: pulumi.Resource;
  readonly nodes: Nodes;
}

/** Credentials that work from where the user sits. Secret. */
export interface Access {
  readonly kubeconfig: pulumi.Output<string>;
  readonly talosconfig: pulumi.Output<string>;
  /** When the first of the two client certificates ends, RFC 3339. Not secret. */
  readonly credentialsExpire: pulumi.Output<string>;
}

/** The machines of a list, control planes apart. */
export const nodesOf = (all: readonly ClusterNode[]): Nodes => ({
  all,
  controlPlanes: all.filter(({ role }) => role === "controlplane"),
});
