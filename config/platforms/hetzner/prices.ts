import type { HetznerClusterPlan } from "../../types";

/** Euro a month without VAT, locations in the EU, as published for the prices since this day. */
const pricesSince = "2026-06-15";

const serverPrices: ReadonlyMap<string, number> = new Map(
  Object.entries({
    cpx12: 11.99,
    cpx22: 19.99,
    cpx32: 35.99,
    cpx42: 69.99,
    ccx13: 43.49,
    ccx23: 86.49,
    ccx33: 138.99,
    ccx43: 276.49,
    cx23: 5.99,
    cx33: 8.99,
    cx43: 16.49,
    cx53: 29.99,
    cax11: 6.49,
    cax21: 10.99,
    cax31: 21.49,
    cax41: 41.49,
  }),
);
const loadBalancerPrices: ReadonlyMap<string, number> = new Map([["lb11", 7.49]]);
const primaryIpPrice = 0.5;

export interface MonthlyPrice {
  readonly since: string;
  readonly currency: "EUR";
  /** Without VAT, traffic and snapshots; absent when an item has no listed price. */
  readonly net?: number;
  /** Server and load balancer types, or locations, the table does not know. */
  readonly unknown: readonly string[];
}

/** What the plan costs a month: servers, one public IPv4 address each, and the load balancer. */
export function monthlyPrice(plan: HetznerClusterPlan): MonthlyPrice {
  const { apiLoadBalancer, loadBalancerType, networkZone } = plan.hetzner;
  const items = [
    ...plan.nodes.map(({ serverType }) => ({ name: serverType, price: serverPrices.get(serverType) })),
    ...(apiLoadBalancer === "none"
      ? []
      : [{ name: loadBalancerType, price: loadBalancerPrices.get(loadBalancerType) }]),
  ];
  const missing = items.filter(({ price }) => price === undefined).map(({ name }) => name);
  const unknown = [...new Set([...missing, ...(networkZone === "eu-central" ? [] : [networkZone])])];
  const sum = items.reduce((total, { price = 0 }) => total + price, plan.nodes.length * primaryIpPrice);
  return {
    since: pricesSince,
    currency: "EUR",
    unknown,
    ...(unknown.length > 0 ? {} : { net: Math.round(sum * 100) / 100 }),
  };
}
