import { overlaps, prefixOf, rangeOf } from "../../../base/addresses";
import { defaults } from "../../defaults";
import type { Draft } from "../../draft";
import { isFaulty } from "../../faulty";
import type { Rule } from "../../rules/input";
import type { NamedRange, Networks } from "../slice";
import { hetznerDefaults } from "./defaults";

/** Gateway of Hetzner's public interfaces, which no network may hold. */
const publicGateway = rangeOf("172.31.1.1/32");

export function hetznerNetworks(draft: Draft): Networks {
  const own = draft.hetzner?.network;
  const range = (name: "cidr" | "nodes" | "pods" | "services", otherwise: string): NamedRange | undefined => {
    const key = `hetzner.network.${name}`;
    return isFaulty(draft, key) ? undefined : { key, cidr: own?.[name] ?? otherwise };
  };
  return {
    nodes: range("nodes", hetznerDefaults.nodes),
    network: range("cidr", hetznerDefaults.network),
    pods: range("pods", defaults.pods),
    services: range("services", defaults.services),
    repair: "move one of them",
  };
}

const networkSuitsHetzner: Rule = ({ draft }) => {
  const { network } = hetznerNetworks(draft);
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
