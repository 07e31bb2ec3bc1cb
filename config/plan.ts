import { hostAddress } from "../base/addresses";
import { defaults } from "./defaults";
import type { Draft, PoolDraft } from "./draft";
import type { LayoutNode } from "./layout";
import type { LoadedPatch } from "./patches";
import { platformOf, platformPlan } from "./platforms/select";
import { required } from "./required";
import type { ClusterPlan, Limits, NodePlan, Patch, PlanBase, PlatformName } from "./types";

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
  const nodes = nodePlans(sources, required(platformOf(platform).networks(draft).nodes).cidr);
  return freeze(platformPlan(platform, { draft, layout, base, nodes }));
}

function basePlan({ draft, stack, schematic }: PlanSources, platform: PlatformName): PlanBase {
  const slice = platformOf(platform);
  const { pods, services } = slice.networks(draft);
  return {
    name: draft.clusterName ?? stack,
    versions: {
      talos: required(draft.talosVersion),
      kubernetes: required(draft.kubernetesVersion),
      contract: required(draft.talosContract),
    },
    schematic,
    factoryUrl: (draft.factoryUrl ?? defaults.factoryUrl).replace(/\/+$/, ""),
    limits: limitsOf(draft),
    deletionProtection: draft.deletionProtection ?? slice.defaults.deletionProtection,
    pods: required(pods).cidr,
    services: required(services).cidr,
  };
}

function limitsOf({ limits = {} }: Draft): Limits {
  const given = Object.entries(limits).filter(([, seconds]) => seconds !== undefined);
  return { ...defaults.limits, ...Object.fromEntries(given) };
}

function nodePlans({ draft, layout, patches }: PlanSources, network: string): readonly NodePlan[] {
  const pools = new Map(draft.pools.map((pool) => [pool.key, pool]));
  return layout.map((node) => ({
    name: node.name,
    role: node.role,
    pool: node.pool,
    address: hostAddress(network, required(node.host)),
    ...ofPool(pools.get(node.key)),
    patches: patchesOf(node, patches).map(({ source, documents }): Patch => ({ source, documents })),
  }));
}

function ofPool(pool: PoolDraft | undefined): Pick<NodePlan, "labels" | "taints"> {
  return {
    labels: pool?.labels ?? {},
    taints: (pool?.taints ?? []).map(({ key, value, effect }) => ({
      key,
      effect,
      ...(value === undefined ? {} : { value }),
    })),
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

function freeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach((item: unknown) => freeze(item));
  }
  return value;
}
