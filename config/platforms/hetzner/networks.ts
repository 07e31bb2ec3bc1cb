import { overlaps, prefixOf, rangeOf } from "../../../base/addresses";
import { defaults } from "../../defaults";
import type { Draft } from "../../draft";
import { isFaulty } from "../../faulty";
import type { Rule } from "../../rules/input";
import type { Networks } from "../slice";
import { hetznerDefaults } from "./defaults";

/** Gateway of Hetzner's public interfaces, which no network may hold. */
const publicGateway = rangeOf("172.31.1.1/32");

export function hetznerNetworks(draft: Draft): Networks | undefined {
  if (isFaulty(draft, "hetzner.network")) return undefined;
  const own = draft.hetzner?.network;
  return {
    nodes: { key: "hetzner.network.nodes", cidr: own?.nodes ?? hetznerDefaults.nodes },
    network: { key: "hetzner.network.cidr", cidr: own?.cidr ?? hetznerDefaults.network },
    pods: { key: "hetzner.network.pods", cidr: own?.pods ?? defaults.pods },
    services: { key: "hetzner.network.services", cidr: own?.services ?? defaults.services },
    repair: "move one of them",
  };
}

const networkSuitsHetzner: Rule = ({ draft }) => {
  const { network } = hetznerNetworks(draft) ?? {};
  if (network === undefined) return [];
  const { key, cidr: value } = network;
  if (prefixOf(value) > 24) {
    const rule = "Hetzner's networks are /24 or larger";
    return [{ key, value, rule, repair: "choose a shorter prefix, such as /16" }];
  }
  if (!overlaps(rangeOf(value), publicGateway)) return [];
  const rule = "holds 172.31.1.1, the gateway of the servers' public interfaces";
  return [{ key, value, rule, repair: "choose a range without it" }];
};

export const networkRules = { networkSuitsHetzner };
