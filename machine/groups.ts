/** Nodes whose configs differ in their names only, so that one of them is judged for all. Pure; both halves read it. */
import { groupBy } from "../base/group";
import type { Patch, Role } from "../agreed/types";
import type { NodePlan, PlatformName } from "../config/types";
import { patchesFor } from "./patches";
import type { PatchSources } from "./patches";

export interface ConfigGroup {
  readonly role: Role;
  /** Names; the config is the first one's. */
  readonly nodes: readonly string[];
  /** The program's own patches, in merge order. */
  readonly own: readonly Patch[];
  /** The operator's, merged after them. */
  readonly operators: readonly Patch[];
}

export function configGroups(sources: PatchSources): readonly ConfigGroup[] {
  const nodes: readonly NodePlan[] = sources.plan.nodes;
  const groups = groupBy(nodes, ({ role, pool, patches }) =>
    [role, pool, ...patches.map(({ source }) => source)].join("\n"),
  );
  return [...groups.values()].flatMap((group) => {
    const [node] = group;
    if (node === undefined) return [];
    const chain = patchesFor(node, sources);
    const own = chain.slice(0, chain.length - node.patches.length);
    return [{ role: node.role, nodes: group.map(({ name }) => name), own, operators: node.patches }];
  });
}

/** What Talos calls the way a machine runs: it decides what a config must hold. */
export const talosMode = (platform: PlatformName): "container" | "cloud" => modes[platform];

const modes: Readonly<Record<PlatformName, "container" | "cloud">> = {
  docker: "container",
  hetzner: "cloud",
};
