import { contains, overlaps, prefixOf, rangeOf } from "../../base/addresses";
import { isFaulty, nodeNetworkOf } from "../draft";
import type { Draft } from "../draft";
import { defaults } from "../defaults";
import type { Rule } from "./input";

interface Named {
  readonly key: string;
  readonly cidr: string;
}

const privateRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"].map(rangeOf);
/** Gateway of Hetzner's public interfaces, which no network may hold. */
const publicGateway = rangeOf("172.31.1.1/32");
/** The controller manager cuts one range of this length for each node. */
const podPrefixPerNode = 24;

function rangesOf(draft: Draft): { nodes: Named; network?: Named; pods: Named; services: Named } | undefined {
  const nodes = nodeNetworkOf(draft);
  if (nodes === undefined) return undefined;
  const own = draft.hetzner?.network;
  const pods = { key: "hetzner.network.pods", cidr: own?.pods ?? defaults.pods };
  const services = { key: "hetzner.network.services", cidr: own?.services ?? defaults.services };
  if (draft.platform === "docker") {
    const fixed = (name: string, cidr: string) => ({ key: `the ${name} range`, cidr });
    return {
      nodes: { key: "docker.subnet", cidr: nodes },
      pods: fixed("pod", defaults.pods),
      services: fixed("service", defaults.services),
    };
  }
  const network = { key: "hetzner.network.cidr", cidr: own?.cidr ?? defaults.hetzner.network };
  return { nodes: { key: "hetzner.network.nodes", cidr: nodes }, network, pods, services };
}

const rangesAreApart: Rule = ({ draft }) => {
  const ranges = rangesOf(draft);
  if (ranges === undefined) return [];
  const { nodes, pods, services } = ranges;
  const pairs: [Named, Named][] = [
    [nodes, pods],
    [nodes, services],
    ...(draft.platform === "hetzner" ? [[pods, services] as [Named, Named]] : []),
  ];
  return pairs
    .filter(([left, right]) => overlaps(rangeOf(left.cidr), rangeOf(right.cidr)))
    .map(([left, right]) => ({
      key: `${left.key} and ${right.key}`,
      value: `${left.cidr} and ${right.cidr}`,
      rule: "these address ranges overlap",
      repair: draft.platform === "docker" ? "move docker.subnet" : "move one of them",
    }));
};

const subnetLiesInNetwork: Rule = ({ draft }) => {
  const { network, nodes } = rangesOf(draft) ?? {};
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
  const { network, nodes } = rangesOf(draft) ?? {};
  const outer = network ?? nodes;
  if (outer === undefined || privateRanges.some((range) => contains(range, rangeOf(outer.cidr)))) return [];
  const rule = "must lie in 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16, the ranges of private networks";
  return [{ key: outer.key, value: outer.cidr, rule, repair: "choose a range inside one of them" }];
};

const networkSuitsHetzner: Rule = ({ draft }) => {
  const { network } = rangesOf(draft) ?? {};
  if (network === undefined) return [];
  const { key, cidr: value } = network;
  if (prefixOf(value) > 24) {
    return [
      {
        key,
        value,
        rule: "Hetzner's networks are /24 or larger",
        repair: "choose a shorter prefix, such as /16",
      },
    ];
  }
  if (!overlaps(rangeOf(value), publicGateway)) return [];
  const rule = "holds 172.31.1.1, the gateway of the servers' public interfaces";
  return [{ key, value, rule, repair: "choose a range without it" }];
};

const podRangeHasRoom: Rule = ({ draft, layout }) => {
  const { pods } = rangesOf(draft) ?? {};
  if (pods === undefined || isFaulty(draft, "workers") || isFaulty(draft, "controlPlanes")) return [];
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
  const { services } = rangesOf(draft) ?? {};
  if (services === undefined || prefixOf(services.cidr) <= 28) return [];
  const rule = "has no room for the cluster's DNS service, which is host 10 of this range";
  return [{ key: services.key, value: services.cidr, rule, repair: "choose a shorter prefix, such as /16" }];
};

export const rangeRules = {
  rangesAreApart,
  subnetLiesInNetwork,
  networkIsPrivate,
  networkSuitsHetzner,
  podRangeHasRoom,
  servicesHaveRoom,
};
