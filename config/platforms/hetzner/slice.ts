import { hostAddress } from "../../../base/addresses";
import type { Draft } from "../../draft";
import { required } from "../../required";
import type { HetznerClusterPlan, HetznerPlan } from "../../types";
import type { PlanParts, PlanView, PlatformSlice } from "../slice";
import { accessRules, accessUpRules } from "./access";
import { hetznerDefaults, loadBalancerHost } from "./defaults";
import { limitRules } from "./limits";
import { zoneOf } from "./locations";
import { hetznerNetworks, networkRules } from "./networks";
import { placesOf, spreadGroupOf } from "./nodes";
import { hetznerOwned } from "./owned";
import { placeRules } from "./places";
import { monthlyPrice } from "./prices";
import { unbuiltRules } from "./unbuilt";

/** The fleet: servers on Hetzner Cloud. */
export const hetznerSlice: PlatformSlice<HetznerClusterPlan> = {
  defaults: hetznerDefaults,
  rules: { ...placeRules, ...limitRules, ...networkRules, ...accessRules, ...unbuiltRules },
  upRules: accessUpRules,
  notes: {},
  owned: hetznerOwned,
  networks: hetznerNetworks,
  reservedHosts: ({ hetzner }) =>
    hetzner?.apiLoadBalancer === "none" ? [] : [[loadBalancerHost, "the private load balancer's"]],
  plan,
  view,
};

function plan({ draft, layout, base, nodes }: PlanParts): HetznerClusterPlan {
  const places = new Map(placesOf(draft).map((place) => [place.key, place]));
  const groups = layout.map(spreadGroupOf);
  return {
    ...base,
    platform: "hetzner",
    hetzner: hetznerPlan(draft, groups),
    nodes: layout.map(({ key }, index) => {
      const { serverType, location } = required(places.get(key));
      return { ...required(nodes[index]), serverType, location, group: required(groups[index]) };
    }),
  };
}

function hetznerPlan({ hetzner = {} }: Draft, groups: readonly string[]): HetznerPlan {
  const location = hetzner.location ?? hetznerDefaults.location;
  const nodes = hetzner.network?.nodes ?? hetznerDefaults.nodes;
  const apiLoadBalancer = hetzner.apiLoadBalancer ?? hetznerDefaults.apiLoadBalancer;
  const loadBalancerAddress = hostAddress(nodes, loadBalancerHost);
  return {
    location,
    networkZone: required(zoneOf(location)),
    network: hetzner.network?.cidr ?? hetznerDefaults.network,
    nodes,
    ...(apiLoadBalancer === "none" ? {} : { loadBalancerAddress }),
    apiLoadBalancer,
    loadBalancerType: hetzner.loadBalancerType ?? hetznerDefaults.loadBalancerType,
    adminCidrs: hetzner.adminCidrs ?? [],
    ...(hetzner.imageId === undefined ? {} : { imageId: hetzner.imageId }),
    groups: [...new Set(groups)],
  };
}

function view(plan: HetznerClusterPlan): PlanView {
  const { network, nodes, loadBalancerAddress: address, apiLoadBalancer } = plan.hetzner;
  const balancer = address === undefined ? "" : `, ${apiLoadBalancer} load balancer ${address}`;
  return {
    network: `network ${network}, nodes ${nodes}${balancer}`,
    columns: ["type", "location", "group"],
    cells: plan.nodes.map(({ serverType, location, group }) => [serverType, location, group]),
    lines: [priceLine(plan)],
    json: { price: monthlyPrice(plan) },
  };
}

function priceLine(plan: HetznerClusterPlan): string {
  const { net, since, unknown } = monthlyPrice(plan);
  return net === undefined
    ? `price: no listed price for ${unknown.join(", ")} (table of ${since})`
    : `price: ${net.toFixed(2)} EUR a month without VAT (prices since ${since})`;
}
