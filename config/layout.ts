import { clusterNameOf } from "./draft";
import type { Draft, PoolDraft } from "./draft";
import { platformOf } from "./platforms/select";
import type { PlatformDefaults } from "./platforms/slice";
import type { Role } from "./types";

/** A node before its address is known to fit: what the draft gives, for rules and for the plan. */
export interface LayoutNode {
  readonly name: string;
  readonly role: Role;
  readonly pool: string;
  /** `controlPlanes` or `workers[0]`: where the node comes from. */
  readonly key: string;
  readonly ordinal: number;
  /** Host number in the node network; absent when the pool has no first address yet. */
  readonly host?: number;
}

interface Pool {
  readonly key: string;
  readonly name: string;
  readonly role: Role;
  readonly count: number;
  readonly first: number | undefined;
}

export const controlPlanePool = "controlplane";

/** The nodes of a draft, control planes first, pools in the order of the file. */
export function layoutOf(draft: Draft, stack: string): readonly LayoutNode[] {
  const cluster = clusterNameOf(draft, stack) ?? stack;
  return poolsOf(draft).flatMap((pool) =>
    Array.from({ length: pool.count }, (_, index) => nodeOf(cluster, pool, index + 1)),
  );
}

function nodeOf(cluster: string, pool: Pool, ordinal: number): LayoutNode {
  return {
    name: `${cluster}-${pool.name}-${ordinal}`,
    role: pool.role,
    pool: pool.name,
    key: pool.key,
    ordinal,
    ...(pool.first === undefined ? {} : { host: pool.first + ordinal - 1 }),
  };
}

function poolsOf(draft: Draft): Pool[] {
  const { controlPlanes } = draft;
  const first = controlPlanes?.firstAddress ?? defaultsOf(draft)?.firstAddress.controlPlanes;
  const rest = draft.pools.map((pool): Pool => ({
    key: pool.key,
    name: pool.name,
    role: "worker",
    count: pool.count,
    first: firstAddressOf(draft, pool),
  }));
  if (controlPlanes === undefined) return rest;
  return [
    { key: "controlPlanes", name: controlPlanePool, role: "controlplane", count: controlPlanes.count, first },
    ...rest,
  ];
}

/** The default is for a file's only pool, and plain: were it to follow the control planes, one more would move workers. */
function firstAddressOf(draft: Draft, pool: PoolDraft): number | undefined {
  if (pool.firstAddress !== undefined || draft.poolCount > 1) return pool.firstAddress;
  return defaultsOf(draft)?.firstAddress.workers;
}

function defaultsOf({ platform }: Draft): PlatformDefaults | undefined {
  return platform === undefined ? undefined : platformOf(platform).defaults;
}
