import type { Fault } from "../../../base/faults";
import type { Rule } from "../../rules/input";
import { hetznerDefaults } from "./defaults";
import { loadBalancerTargets } from "./locations";
import { spreadGroupOf } from "./nodes";

const serversPerNetwork = 100;
const groupsPerProject = 50;
/** Hetzner's limit; the layout fills groups with seven. */
const serversPerSpreadGroup = 10;

const networkTakesTheServers: Rule = ({ layout }) => {
  if (layout.length <= serversPerNetwork) return [];
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

const spreadGroupsFit: Rule = ({ layout }) => spreadGroupFaults(layout.map(spreadGroupOf));

/** Of the group of every server. */
export function spreadGroupFaults(groups: readonly string[]): Fault[] {
  const sizes = new Map<string, number>();
  for (const group of groups) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const full = [...sizes].flatMap(([group, size]): Fault[] => {
    if (size <= serversPerSpreadGroup) return [];
    const rule = `a spread placement group takes at most ${serversPerSpreadGroup} servers`;
    const repair = "spread the pool's nodes over more groups";
    return [{ key: group, value: `${size} servers`, rule, repair }];
  });
  if (sizes.size <= groupsPerProject) return full;
  const rule = `a Hetzner project holds at most ${groupsPerProject} placement groups, and each pool needs one for seven nodes`;
  return [...full, { key: "workers", value: `${sizes.size} groups`, rule, repair: "join small pools" }];
}

const loadBalancerTakesTheTargets: Rule = ({ draft }) => {
  if (draft.hetzner?.apiLoadBalancer === "none") return [];
  const type = draft.hetzner?.loadBalancerType ?? hetznerDefaults.loadBalancerType;
  const count = draft.controlPlanes?.count ?? 0;
  const targets = loadBalancerTargets[type];
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

export const limitRules = { networkTakesTheServers, spreadGroupsFit, loadBalancerTakesTheTargets };
