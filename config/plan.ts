import { hostAddress } from "../base/addresses";
import { defaults, reservedHosts } from "./defaults";
import { nodeNetworkOf } from "./draft";
import type { Draft, PoolDraft } from "./draft";
import type { LayoutNode } from "./layout";
import { networkZones } from "./locations";
import type { LoadedPatch } from "./patches";
import type { ClusterPlan, DockerPlan, HetznerPlan, Limits, NodePlan, Patch, PlanBase } from "./types";

export interface PlanSources {
  readonly draft: Draft;
  readonly stack: string;
  readonly layout: readonly LayoutNode[];
  readonly patches: readonly LoadedPatch[];
  readonly schematic: { readonly source: string; readonly text: string };
}

/** Turns a draft in which no rule found a fault into the plan. Pure; identity is the node's name, never a position. */
export function planOf(sources: PlanSources): ClusterPlan {
  const { draft, layout } = sources;
  const platform = required(draft.platform);
  const base = basePlan(sources, platform);
  const nodes = layout.map((node) => nodePlan(node, sources));
  if (platform === "docker") {
    const docker = dockerPlan(draft, base.versions.talos);
    const withPorts = layout.map((node, index) => ({
      ...required(nodes[index]),
      talosPort: docker.talosPort + required(node.host) - 2,
    }));
    const plan: ClusterPlan = { ...base, platform, docker, nodes: withPorts };
    return freeze(plan);
  }
  const hetzner = hetznerPlan(draft, layout);
  const servers = layout.map((node, index) => ({
    ...required(nodes[index]),
    ...serverOf(node, draft),
    group: node.group,
  }));
  const plan: ClusterPlan = { ...base, platform, hetzner, nodes: servers };
  return freeze(plan);
}

function basePlan({ draft, stack, schematic }: PlanSources, platform: "docker" | "hetzner"): PlanBase {
  return {
    name: draft.clusterName ?? stack,
    versions: {
      talos: required(draft.talosVersion),
      kubernetes: required(draft.kubernetesVersion),
      contract: required(draft.talosContract),
    },
    schematic,
    factoryUrl: (draft.factoryUrl ?? defaults.factoryUrl).replace(/\/+$/, ""),
    reboots: draft.reboots ?? defaults.reboots,
    limits: limitsOf(draft),
    deletionProtection: draft.deletionProtection ?? defaults.deletionProtection[platform],
    pods: draft.hetzner?.network?.pods ?? defaults.pods,
    services: draft.hetzner?.network?.services ?? defaults.services,
  };
}

function limitsOf({ limits = {} }: Draft): Limits {
  const given = Object.entries(limits).filter(([, seconds]) => seconds !== undefined);
  return { ...defaults.limits, ...Object.fromEntries(given) };
}

function nodePlan(node: LayoutNode, { draft, patches }: PlanSources): NodePlan {
  const pool = poolOf(draft, node);
  return {
    name: node.name,
    role: node.role,
    pool: node.pool,
    ordinal: node.ordinal,
    address: hostAddress(required(nodeNetworkOf(draft)), required(node.host)),
    labels: pool?.labels ?? {},
    taints: (pool?.taints ?? []).map(({ key, value, effect }) => ({
      key,
      effect,
      ...(value === undefined ? {} : { value }),
    })),
    patches: patchesOf(node, patches).map(({ source, documents }): Patch => ({ source, documents })),
  };
}

/** A node's patches in merge order: all, role, pool, node; within a list as written. */
export function patchesOf(node: LayoutNode, patches: readonly LoadedPatch[]): readonly LoadedPatch[] {
  const role = node.role === "controlplane" ? "controlPlanes" : "workers";
  const steps: ((patch: LoadedPatch) => boolean)[] = [
    ({ scope }) => scope.kind === "all",
    ({ scope }) => scope.kind === role,
    ({ scope }) => scope.kind === "pool" && node.role === "worker" && scope.pool === node.pool,
    ({ scope }) => scope.kind === "node" && scope.node === node.name,
  ];
  return steps.flatMap((step) => patches.filter(step));
}

function dockerPlan({ docker }: Draft, talosVersion: string): DockerPlan {
  const { host, context, cpus = defaults.docker.cpus, ...rest } = docker ?? {};
  return {
    subnet: rest.subnet ?? defaults.docker.subnet,
    gateway: hostAddress(rest.subnet ?? defaults.docker.subnet, reservedHosts.gateway),
    talosPort: rest.talosPort ?? defaults.docker.talosPort,
    kubernetesPort: rest.kubernetesPort ?? defaults.docker.kubernetesPort,
    cpus: Number.isInteger(cpus) ? `${cpus}.0` : String(cpus),
    memory: rest.memory ?? defaults.docker.memory,
    image: rest.image ?? `${defaults.docker.image}:${talosVersion}`,
    hostAddress: rest.hostAddress ?? defaults.docker.hostAddress,
    ...(host === undefined ? {} : { host }),
    ...(context === undefined ? {} : { context }),
  };
}

function hetznerPlan({ hetzner }: Draft, layout: readonly LayoutNode[]): HetznerPlan {
  const settings = hetzner ?? {};
  const location = settings.location ?? defaults.hetzner.location;
  const nodes = settings.network?.nodes ?? defaults.hetzner.nodes;
  const apiLoadBalancer = settings.apiLoadBalancer ?? defaults.hetzner.apiLoadBalancer;
  const loadBalancerAddress = hostAddress(nodes, reservedHosts.loadBalancer);
  const { serverType = defaults.hetzner.serverType.controlPlanes, location: at = location } =
    settings.builder ?? {};
  return {
    location,
    networkZone: required(networkZones[location]),
    network: settings.network?.cidr ?? defaults.hetzner.network,
    nodes,
    ...(apiLoadBalancer === "none" ? {} : { loadBalancerAddress }),
    apiLoadBalancer,
    loadBalancerType: settings.loadBalancerType ?? defaults.hetzner.loadBalancerType,
    adminCidrs: settings.adminCidrs ?? [],
    ...(settings.imageId === undefined ? {} : { imageId: settings.imageId }),
    builder: { serverType, location: at },
    groups: [...new Set(layout.map(({ group }) => group))],
  };
}

function serverOf(node: LayoutNode, draft: Draft): { serverType: string; location: string } {
  const settings = node.role === "controlplane" ? draft.controlPlanes : poolOf(draft, node);
  const kind = node.role === "controlplane" ? "controlPlanes" : "workers";
  return {
    serverType: settings?.serverType ?? defaults.hetzner.serverType[kind],
    location: settings?.location ?? draft.hetzner?.location ?? defaults.hetzner.location,
  };
}

function poolOf(draft: Draft, node: LayoutNode): PoolDraft | undefined {
  return draft.pools.find((pool) => pool.key === node.key);
}

/** The rules have run before: something absent here is a fault of this program, not of its user. */
function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("the rules let an incomplete configuration through");
  return value;
}

function freeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach((item: unknown) => freeze(item));
  }
  return value;
}
