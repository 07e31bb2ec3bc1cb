import { contains, overlaps, prefixOf, rangeOf } from "../../base/addresses";
import type { Draft } from "../draft";
import { nodesAreKnown } from "../faulty";
import { platformOf } from "../platforms/select";
import type { NamedRange, Networks } from "../platforms/slice";
import type { Rule } from "./input";

const privateRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"].map(rangeOf);
/** The controller manager cuts one range of this length for each node. */
const podPrefixPerNode = 24;

/** The ranges of the platform, where they can be known. */
export function networksOf(draft: Draft): Networks | undefined {
  return draft.platform === undefined ? undefined : platformOf(draft.platform).networks(draft);
}

const rangesAreApart: Rule = ({ draft }) => {
  const ranges = networksOf(draft);
  if (ranges === undefined) return [];
  const { nodes, pods, services, repair } = ranges;
  const pairs: [NamedRange | undefined, NamedRange | undefined][] = [
    [nodes, pods],
    [nodes, services],
    [pods, services],
  ];
  return pairs
    .filter(areKnown)
    .filter(([left, right]) => overlaps(rangeOf(left.cidr), rangeOf(right.cidr)))
    .map(([left, right]) => ({
      key: `${left.key} and ${right.key}`,
      value: `${left.cidr} and ${right.cidr}`,
      rule: "these address ranges overlap",
      repair,
    }));
};

function areKnown(pair: readonly (NamedRange | undefined)[]): pair is [NamedRange, NamedRange] {
  return !pair.includes(undefined);
}

const subnetLiesInNetwork: Rule = ({ draft }) => {
  const { network, nodes } = networksOf(draft) ?? {};
  if (network === undefined || nodes === undefined || contains(rangeOf(network.cidr), rangeOf(nodes.cidr)))
    return [];
  const rule = `must lie inside hetzner.network.cidr ${network.cidr}`;
  return [
    {
      key: `${nodes.key} and ${network.key}`,
      value: nodes.cidr,
      rule,
      repair: "move the one or enlarge the other",
    },
  ];
};

const networkIsPrivate: Rule = ({ draft }) => {
  const { network, nodes } = networksOf(draft) ?? {};
  const outer = network ?? nodes;
  if (outer === undefined || privateRanges.some((range) => contains(range, rangeOf(outer.cidr)))) return [];
  const rule = "must lie in 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16, the ranges of private networks";
  return [{ key: outer.key, value: outer.cidr, rule, repair: "choose a range inside one of them" }];
};

const podRangeHasRoom: Rule = ({ draft, layout }) => {
  const { pods } = networksOf(draft) ?? {};
  if (pods === undefined || !nodesAreKnown(draft)) return [];
  const room = Math.floor(2 ** (podPrefixPerNode - prefixOf(pods.cidr)));
  if (room >= layout.length) return [];
  const rule = `has room for ${room} nodes of a /24 each, and there are ${layout.length}`;
  const needed = podPrefixPerNode - Math.ceil(Math.log2(layout.length));
  return [
    {
      key: `${pods.key}, controlPlanes.count and workers`,
      value: pods.cidr,
      rule,
      repair: `choose a /${needed} or larger`,
    },
  ];
};

/** CoreDNS takes host 10 of the range, which a /29 does not have. */
const servicesHaveRoom: Rule = ({ draft }) => {
  const { services } = networksOf(draft) ?? {};
  if (services === undefined || prefixOf(services.cidr) <= 28) return [];
  const rule = "has no room for the cluster's DNS service, which is host 10 of this range";
  return [{ key: services.key, value: services.cidr, rule, repair: "choose a shorter prefix, such as /16" }];
};

export const rangeRules = {
  rangesAreApart,
  subnetLiesInNetwork,
  networkIsPrivate,
  podRangeHasRoom,
  servicesHaveRoom,
};
