/** LoadBalancer. */
import { bridgedResource, type Schema } from "../framework/bridged";
import type { Props, ResourceStandIn, Value } from "../framework/types";
import { flag, record, text } from "../framework/values";
import type { ApiAction, ApiLoadBalancer, ApiTarget } from "./api-types";
import type { HetznerClient } from "./client";
import {
  changed,
  filledLabels,
  nameProperty,
  namedState,
  ofProps,
  protectionProperty,
  putNamed,
  type Api,
} from "./common";

export const fetchBalancer = async (
  api: HetznerClient,
  id: string | number,
  signal?: AbortSignal,
): Promise<ApiLoadBalancer | undefined> =>
  (await api.find<{ load_balancer: ApiLoadBalancer }>(`/load_balancers/${id}`, signal))?.load_balancer;

export const balancerAction = (
  api: HetznerClient,
  id: string | number,
  action: { name: string; body: object; signal?: AbortSignal },
) => api.act(`/load_balancers/${id}/actions/${action.name}`, { body: action.body, signal: action.signal });

/** The provider keeps neither the selector nor the private flag of a selector target here. */
const targetState = (target: ApiTarget): Value => ({
  type: target.type,
  serverId: target.server?.id ?? 0,
  usePrivateIp: target.type === "server" && target.use_private_ip === true,
});

const state = (balancer: ApiLoadBalancer): Props => ({
  ...namedState(balancer),
  loadBalancerType: balancer.load_balancer_type.name,
  location: balancer.location.name,
  networkZone: balancer.location.network_zone,
  algorithm: { type: balancer.algorithm.type },
  deleteProtection: balancer.protection.delete,
  ipv4: balancer.public_net.ipv4.ip,
  ipv6: balancer.public_net.ipv6.ip,
  networkId: balancer.private_net[0]?.network ?? null,
  networkIp: balancer.private_net[0]?.ip ?? null,
  targets: balancer.targets.map(targetState),
});

const algorithm = (planned: Props) => {
  const type = text(record(planned, "algorithm"), "type");
  return type === undefined ? {} : { algorithm: { type } };
};

const protect = (api: HetznerClient, id: string | number, on: boolean) =>
  balancerAction(api, id, { name: "change_protection", body: { delete: on } });

async function update(
  api: HetznerClient,
  planned: Props,
  request: { id: string; olds: Props; signal: AbortSignal },
): Promise<{ state: Props }> {
  const { id, olds, signal } = request;
  await putNamed(api, `/load_balancers/${id}`, { olds, planned, signal });
  if (changed(olds, planned, "loadBalancerType")) {
    const body = { load_balancer_type: text(planned, "loadBalancerType") };
    await balancerAction(api, id, { name: "change_type", body, signal });
  }
  if (changed(olds, planned, "algorithm")) {
    await balancerAction(api, id, { name: "change_algorithm", body: record(planned, "algorithm"), signal });
  }
  if (changed(olds, planned, "deleteProtection"))
    await protect(api, id, flag(planned, "deleteProtection") === true);
  const balancer = await fetchBalancer(api, id, signal);
  return { state: balancer === undefined ? {} : state(balancer) };
}

const properties: Schema = {
  name: nameProperty,
  loadBalancerType: { type: "string", required: true },
  location: { type: "string", computed: "optional", forceNew: true },
  networkZone: { type: "string", computed: "optional", forceNew: true },
  algorithm: {
    type: "object",
    computed: "optional",
    fields: { type: { type: "string", computed: "optional" } },
  },
  labels: filledLabels,
  deleteProtection: protectionProperty,
  targets: {
    type: "set",
    computed: "optional",
    fields: {
      type: { type: "string", required: true },
      serverId: { type: "number" },
      usePrivateIp: { type: "bool" },
    },
  },
  ipv4: { type: "string", computed: "output" },
  ipv6: { type: "string", computed: "output" },
  networkId: { type: "number", computed: "output" },
  networkIp: { type: "string", computed: "output" },
};

async function create(
  api: HetznerClient,
  planned: Props,
  signal: AbortSignal,
): Promise<{ id: string; state: Props }> {
  const given = {
    name: text(planned, "name"),
    load_balancer_type: text(planned, "loadBalancerType"),
    labels: record(planned, "labels"),
  };
  const place = ofProps({
    location: text(planned, "location"),
    network_zone: text(planned, "networkZone"),
  });
  const body = { ...given, ...place, ...algorithm(planned) };
  const made = await api.post<{ load_balancer: ApiLoadBalancer; action: ApiAction }>("/load_balancers", {
    body,
    signal,
  });
  await api.wait([made.action], signal);
  const { id } = made.load_balancer;
  if (flag(planned, "deleteProtection") === true) await protect(api, id, true);
  return {
    id: String(id),
    state: state((await fetchBalancer(api, id, signal)) ?? made.load_balancer),
  };
}

export const loadBalancerResource = (api: Api): ResourceStandIn =>
  bridgedResource(
    {
      kind: "sdk",
      autonamed: "name",
      properties,
    },
    {
      create: (planned, { signal }) => create(api(), planned, signal),
      read: async ({ id }) => {
        const balancer = await fetchBalancer(api(), id);
        return balancer === undefined ? undefined : { state: state(balancer) };
      },
      update: (planned, request) => update(api(), planned, request),
      delete: async ({ id, signal }) => {
        if ((await fetchBalancer(api(), id, signal)) === undefined) return;
        const answer = await api().delete<{ action?: ApiAction } | "" | undefined>(
          `/load_balancers/${id}`,
          signal,
        );
        await api().wait([answer === "" ? undefined : answer?.action], signal);
      },
    },
  );
