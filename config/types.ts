/** What the operator asked for, fully resolved: plain, read-only data. No Pulumi, no network, no unknowns. */

import type { Patch, Role, Taint, Versions } from "../agreed/types";

export type { Patch, Role, Taint } from "../agreed/types";

export interface NodePlan {
  /** `<cluster>-controlplane-1`, `<cluster>-<pool>-1`: the node's identity, never a position. */
  readonly name: string;
  readonly role: Role;
  /** `controlplane`, or the worker pool's name. */
  readonly pool: string;
  /** IPv4 address in the node network. */
  readonly address: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** The operator's patches in merge order: all, role, pool, node. */
  readonly patches: readonly Patch[];
}

export interface DockerNodePlan extends NodePlan {
  /** Port on the engine's host that reaches this node's Talos API. */
  readonly talosPort: number;
}

export interface HetznerNodePlan extends NodePlan {
  readonly serverType: string;
  readonly location: string;
  /** Spread placement group: `<cluster>-<pool>-<n>`, seven servers at most so that a replacement has room. */
  readonly group: string;
}

/** How long each wait of a run may take, in seconds (key `limits`). */
export interface Limits {
  /** Until a node answers on the Talos API and takes its config. */
  readonly talosApi: number;
  readonly etcd: number;
  readonly kubernetesApi: number;
  readonly nodesReady: number;
  readonly coreDns: number;
}

export interface PlanBase {
  readonly name: string;
  readonly versions: Versions;
  /** The schematic as the operator wrote it; `factory/` gives it meaning. `source` is a path or `schematic`. */
  readonly schematic: { readonly source: string; readonly text: string };
  /** Image Factory base URL without a trailing slash. */
  readonly factoryUrl: string;
  readonly deletionProtection: boolean;
  readonly limits: Limits;
  /** Pod and service ranges of Kubernetes (CIDR). */
  readonly pods: string;
  readonly services: string;
}

export interface DockerPlan {
  /** As configured; when absent the engine is found as the Docker CLI finds it. */
  readonly host?: string;
  readonly context?: string;
  readonly subnet: string;
  /** Second address of the subnet's range: `.1`. */
  readonly gateway: string;
  /** Host port of the Talos API of host number 2; node port = talosPort + host number - 2. */
  readonly talosPort: number;
  readonly kubernetesPort: number;
  /** CPUs per node as Docker writes them: `2.0`. */
  readonly cpus: string;
  /** MiB per node. */
  readonly memory: number;
  /** Container image reference, `ghcr.io/siderolabs/talos:<version>` unless configured. */
  readonly image: string;
  /** Address at which the published ports are reached: 127.0.0.1, or what a remote engine needs. */
  readonly hostAddress: string;
}

export interface HetznerPlan {
  readonly location: string;
  readonly networkZone: string;
  readonly network: string;
  /** The node subnet, inside `network`. */
  readonly nodes: string;
  /** The private load balancer's address, inside `nodes`; absent when `apiLoadBalancer` is `none`. */
  readonly loadBalancerAddress?: string;
  readonly apiLoadBalancer: "private" | "public" | "none";
  readonly loadBalancerType: string;
  readonly adminCidrs: readonly string[];
  /** Snapshot id; absent until an image exists (`up` refuses, previews do not). */
  readonly imageId?: string;
  /** Names of the spread groups in the order of their nodes, each once. */
  readonly groups: readonly string[];
}

export interface DockerClusterPlan extends PlanBase {
  readonly platform: "docker";
  readonly nodes: readonly DockerNodePlan[];
  readonly docker: DockerPlan;
}

export interface HetznerClusterPlan extends PlanBase {
  readonly platform: "hetzner";
  readonly nodes: readonly HetznerNodePlan[];
  readonly hetzner: HetznerPlan;
}

/** A platform that is added here is asked for by the compiler in every select file. */
export type ClusterPlan = DockerClusterPlan | HetznerClusterPlan;

export type PlatformName = ClusterPlan["platform"];
