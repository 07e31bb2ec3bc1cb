/** The stack file that is given, made into one of our own: another cluster's name, its files beside it. Pure. */
import { isMappingValue } from "../../base/paths";

/** Nobody else's lab is called so; what an earlier run left under it is ours to remove. */
export const OWN_CLUSTER = "tf-real";

const PREFIX = "talos-fleet:";
type Keys = Readonly<Record<string, unknown>>;

export interface OwnStack {
  readonly config: Keys;
  /** Files that the stack file names: where each lies beside it, and its name in our folder. */
  readonly files: readonly { readonly from: string; readonly to: string }[];
}

/** Why this file cannot be used; undefined when it can. */
export function refusal(config: Keys): string | undefined {
  if (config[`${PREFIX}platform`] !== "docker") return "platform must be docker: this is the life of a lab";
  if (holdsSecure(config))
    return "holds encrypted values, which only its own stack's passphrase opens: write them plain in a file for this";
  return undefined;
}

function holdsSecure(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsSecure);
  return isMappingValue(value) && ("secure" in value || Object.values(value).some(holdsSecure));
}

/** `stack` is the name in the file's name; `isFile` knows what lies beside the file, the rest is this checkout's. */
export function ownStack(config: Keys, stack: string, isFile: (path: string) => boolean): OwnStack {
  const name = config[`${PREFIX}clusterName`];
  const cluster = typeof name === "string" ? name : stack;
  const files: { from: string; to: string }[] = [];
  const carried = (value: unknown): unknown => {
    if (typeof value !== "string" || !isFile(value)) return value;
    const to = `given-${files.length + 1}-${value.replaceAll(/[^A-Za-z0-9.]+/g, "-")}`;
    files.push({ from: value, to });
    return to;
  };
  const lists = (value: unknown): unknown => (Array.isArray(value) ? value.map(carried) : value);
  const patches = mapValues(config[`${PREFIX}patches`], (value, key) =>
    key === "nodes" ? renamed(mapValues(value, lists), cluster) : lists(value),
  );
  const workers = config[`${PREFIX}workers`];
  const pools = Array.isArray(workers)
    ? workers.map((pool: unknown) =>
        mapValues(pool, (value, key) => (key === "patches" ? lists(value) : value)),
      )
    : workers;
  const own = {
    ...config,
    [`${PREFIX}clusterName`]: OWN_CLUSTER,
    [`${PREFIX}patches`]: patches ?? {},
    [`${PREFIX}workers`]: pools,
    [`${PREFIX}schematic`]: carried(config[`${PREFIX}schematic`]),
  };
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  return { config: Object.fromEntries(given), files };
}

/** Nodes bear the cluster's name. */
const renamed = (nodes: unknown, cluster: string): unknown =>
  isMappingValue(nodes)
    ? Object.fromEntries(
        Object.entries(nodes).map(([name, patches]) => [
          name.startsWith(`${cluster}-`) ? `${OWN_CLUSTER}${name.slice(cluster.length)}` : name,
          patches,
        ]),
      )
    : nodes;

const mapValues = (mapping: unknown, change: (value: unknown, key: string) => unknown): unknown =>
  isMappingValue(mapping)
    ? Object.fromEntries(Object.entries(mapping).map(([key, value]) => [key, change(value, key)]))
    : mapping;

/** The same stack with one more patch at the end of a list. */
export function withPatch(config: Keys, list: "all" | "controlPlanes" | "workers", patch: object): Keys {
  const patches = config[`${PREFIX}patches`];
  const before = isMappingValue(patches) ? patches : {};
  const listed = before[list];
  return {
    ...config,
    [`${PREFIX}patches`]: {
      ...before,
      [list]: [...(Array.isArray(listed) ? (listed as unknown[]) : []), patch],
    },
  };
}
