import { groupBy } from "../../base/group";
import { isFaulty } from "../draft";
import { defaults } from "../defaults";
import { loadBalancerTargets } from "../locations";
import { patchesOf } from "../plan";
import { valueAt } from "../../base/paths";
import type { Rule } from "./input";

const scheduling = "cluster.allowSchedulingOnControlPlanes";
const serversPerNetwork = 100;
const groupsPerProject = 50;
/** Hetzner's limit; the layout fills groups with seven. */
const serversPerSpreadGroup = 10;

const controlPlanesAreOdd: Rule = ({ draft }) => {
  const count = draft.controlPlanes?.count;
  if (count === undefined || count % 2 === 1) return [];
  const rule =
    "the number of control planes must be odd: an even one survives no more failures than one less";
  return [
    { key: "controlPlanes.count", value: String(count), rule, repair: `set ${count - 1} or ${count + 1}` },
  ];
};

/** Without workers the program opens the control planes to pods, unless a patch closes them again. */
const podsHaveANode: Rule = ({ draft, layout, patches }) => {
  const unsure = ["controlPlanes", "workers", "patches"].some((key) => isFaulty(draft, key));
  const [node] = layout;
  if (unsure || draft.poolCount > 0 || node === undefined) return [];
  const closing = patchesOf(node, patches)
    .flatMap(({ source, documents }) =>
      documents.map((document) => ({ source, value: valueAt(document, scheduling) })),
    )
    .findLast(({ value }) => value !== undefined);
  if (closing?.value !== false) return [];
  const rule = `without workers ${closing.source} leaves no node for pods, so that CoreDNS never starts`;
  return [
    {
      key: `workers and ${scheduling}`,
      value: "(none) and false",
      rule,
      repair: "list a pool, or take the key out of the patch",
    },
  ];
};

const networkTakesTheServers: Rule = ({ draft, layout }) => {
  if (draft.platform !== "hetzner" || layout.length <= serversPerNetwork) return [];
  const rule = `a Hetzner network takes at most ${serversPerNetwork} servers`;
  return [
    {
      key: "controlPlanes.count and workers",
      value: `${layout.length} servers`,
      rule,
      repair: "lower the counts",
    },
  ];
};

const spreadGroupsFit: Rule = ({ draft, layout }) => {
  if (draft.platform !== "hetzner") return [];
  const groups = groupBy(layout, ({ group }) => group);
  const full = [...groups].flatMap(([group, nodes]) => {
    if (nodes.length <= serversPerSpreadGroup) return [];
    const rule = `a spread placement group takes at most ${serversPerSpreadGroup} servers`;
    return [
      {
        key: group,
        value: `${nodes.length} servers`,
        rule,
        repair: "spread the pool's nodes over more groups",
      },
    ];
  });
  if (groups.size <= groupsPerProject) return full;
  const rule = `a Hetzner project holds at most ${groupsPerProject} placement groups, and each pool needs one for seven nodes`;
  return [...full, { key: "workers", value: `${groups.size} groups`, rule, repair: "join small pools" }];
};

const loadBalancerTakesTheTargets: Rule = ({ draft }) => {
  if (draft.platform !== "hetzner" || draft.hetzner?.apiLoadBalancer === "none") return [];
  const type = draft.hetzner?.loadBalancerType ?? defaults.hetzner.loadBalancerType;
  const count = draft.controlPlanes?.count ?? 0;
  const targets = loadBalancerTargets[type] ?? count;
  if (count <= targets) return [];
  const rule = `a load balancer of this type takes ${targets} targets, and there are ${count} control planes`;
  return [
    {
      key: "hetzner.loadBalancerType and controlPlanes.count",
      value: type,
      rule,
      repair: "set lb21, or fewer control planes",
    },
  ];
};

export const countRules = {
  controlPlanesAreOdd,
  podsHaveANode,
  networkTakesTheServers,
  spreadGroupsFit,
  loadBalancerTakesTheTargets,
};
