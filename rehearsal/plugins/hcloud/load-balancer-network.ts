/** LoadBalancerNetwork, which the framework half of the bridge serves. */
import { setTimeout as sleep } from "node:timers/promises";
import { bridgedResource } from "../framework/bridged";
import type { Props, ResourceStandIn } from "../framework/types";
import { flag, number, text } from "../framework/values";
import type { ApiLoadBalancer } from "./api-types";
import type { HetznerClient } from "./client";
import { parseSubnetId, type Api } from "./common";
import { balancerAction, fetchBalancer } from "./load-balancer";
import { ifThere } from "./network";

const networkState = (balancer: ApiLoadBalancer, network: number, before: Props): Props | undefined => {
  const attached = balancer.private_net.find((net) => net.network === network);
  if (attached === undefined) return undefined;
  return {
    loadBalancerId: balancer.id,
    networkId: network,
    subnetId: text(before, "subnetId") ?? null,
    ip: attached.ip,
    enablePublicInterface: balancer.public_net.enabled,
  };
};

async function setPublic(api: HetznerClient, balancer: ApiLoadBalancer, wanted: boolean): Promise<void> {
  if (balancer.public_net.enabled === wanted) return;
  await balancerAction(api, balancer.id, {
    name: wanted ? "enable_public_interface" : "disable_public_interface",
    body: {},
  });
}

async function attach(
  api: HetznerClient,
  planned: Props,
  signal: AbortSignal,
): Promise<{ id: string; state: Props }> {
  const id = number(planned, "loadBalancerId") ?? 0;
  const subnet = text(planned, "subnetId");
  const network = subnet === undefined ? (number(planned, "networkId") ?? 0) : parseSubnetId(subnet).network;
  const ip = text(planned, "ip");
  const range = ip === undefined && subnet !== undefined ? { ip_range: parseSubnetId(subnet).ipRange } : {};
  const body = { network, ...(ip === undefined ? {} : { ip }), ...range };
  const passing = ["conflict", "locked", "service_error", "no_subnet_available"];
  await api.insist(passing, 5, () => balancerAction(api, id, { name: "attach_to_network", body, signal }));
  const balancer = await fetchBalancer(api, id, signal);
  if (balancer === undefined) throw new Error(`load balancer ${id} not found`);
  await setPublic(api, balancer, flag(planned, "enablePublicInterface") ?? true);
  const settled = (await fetchBalancer(api, id, signal)) ?? balancer;
  return { id: `${id}-${network}`, state: networkState(settled, network, planned) ?? {} };
}

const detachPolls = 10;

async function detach(api: HetznerClient, id: string, signal: AbortSignal): Promise<void> {
  const [balancerId = "", network = ""] = id.split("-");
  await ifThere(() =>
    balancerAction(api, balancerId, {
      name: "detach_from_network",
      body: { network: Number(network) },
      signal,
    }),
  );
  for (let poll = 0; poll < detachPolls; poll += 1) {
    const balancer = await fetchBalancer(api, balancerId, signal);
    if (balancer?.private_net.some((net) => net.network === Number(network)) !== true) return;
    await sleep(2000, undefined, { signal });
  }
}

export const loadBalancerNetworkResource = (api: Api): ResourceStandIn =>
  bridgedResource(
    {
      kind: "framework",
      properties: {
        loadBalancerId: { type: "number", required: true, forceNew: true },
        networkId: { type: "number", computed: "optional", forceNew: true },
        subnetId: { type: "string", forceNew: true },
        ip: { type: "string", computed: "optional", forceNew: true },
        enablePublicInterface: { type: "bool", default: true },
      },
    },
    {
      create: (planned, { signal }) => attach(api(), planned, signal),
      read: async ({ id, state: before }) => {
        const [balancerId = "", network = ""] = id.split("-");
        const balancer = await fetchBalancer(api(), balancerId);
        const found = balancer === undefined ? undefined : networkState(balancer, Number(network), before);
        return found === undefined ? undefined : { state: found };
      },
      update: async (planned, { olds }) => {
        const balancer = await fetchBalancer(api(), number(olds, "loadBalancerId") ?? 0);
        if (balancer !== undefined)
          await setPublic(api(), balancer, flag(planned, "enablePublicInterface") ?? true);
        return { state: {} };
      },
      delete: ({ id, signal }) => detach(api(), id, signal),
    },
  );
