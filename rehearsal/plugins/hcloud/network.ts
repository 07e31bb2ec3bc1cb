/** Network, NetworkSubnet and NetworkRoute. */
import { bridgedResource } from "../framework/bridged";
import type { Props, ResourceStandIn } from "../framework/types";
import { flag, number, record, text } from "../framework/values";
import type { ApiNetwork } from "./api-types";
import { isCode } from "./client";
import {
  changed,
  cidr,
  labelsProperty,
  nameProperty,
  namedState,
  ofProps,
  oneOf,
  parseSubnetId,
  protectionProperty,
  putNamed,
  type Api,
} from "./common";

const find = async (api: Api, id: string | number, signal?: AbortSignal): Promise<ApiNetwork | undefined> =>
  (await api().find<{ network: ApiNetwork }>(`/networks/${id}`, signal))?.network;

const networkState = (network: ApiNetwork): Props => ({
  ...namedState(network),
  ipRange: network.ip_range,
  exposeRoutesToVswitch: network.expose_routes_to_vswitch,
  deleteProtection: network.protection.delete,
});

export const networkResource = (api: Api): ResourceStandIn =>
  bridgedResource(
    {
      kind: "sdk",
      autonamed: "name",
      properties: {
        name: nameProperty,
        ipRange: { type: "string", required: true, forceNew: true, validate: cidr },
        labels: labelsProperty,
        deleteProtection: protectionProperty,
        exposeRoutesToVswitch: { type: "bool", default: false },
      },
    },
    {
      create: async (planned, { signal }) => {
        const body = {
          name: text(planned, "name"),
          ip_range: text(planned, "ipRange"),
          labels: record(planned, "labels"),
          expose_routes_to_vswitch: flag(planned, "exposeRoutesToVswitch") ?? false,
        };
        const { network } = await api().post<{ network: ApiNetwork }>("/networks", { body, signal });
        if (flag(planned, "deleteProtection") === true) await protect(api, network.id, true);
        return {
          id: String(network.id),
          state: networkState((await find(api, network.id, signal)) ?? network),
        };
      },
      read: async ({ id }) => {
        const network = await find(api, id);
        return network === undefined ? undefined : { state: networkState(network) };
      },
      update: async (planned, { id, olds, signal }) => {
        await putNamed(api(), `/networks/${id}`, { olds, planned, signal });
        if (changed(olds, planned, "exposeRoutesToVswitch")) {
          await api().put(`/networks/${id}`, {
            body: { expose_routes_to_vswitch: planned["exposeRoutesToVswitch"] },
            signal,
          });
        }
        if (changed(olds, planned, "deleteProtection"))
          await protect(api, id, flag(planned, "deleteProtection") === true);
        return { state: {} };
      },
      delete: async ({ id, signal }) => api().delete(`/networks/${id}`, signal),
    },
  );

const protect = (api: Api, id: string | number, on: boolean): Promise<void> =>
  api().act(`/networks/${id}/actions/change_protection`, { body: { delete: on } });

function subnetState(network: ApiNetwork, ipRange: string): Props | undefined {
  const subnet = network.subnets.find((candidate) => candidate.ip_range === ipRange);
  if (subnet === undefined) return undefined;
  const { type, network_zone: networkZone, gateway } = subnet;
  return { networkId: network.id, type, ipRange, networkZone, gateway, vswitchId: subnet.vswitch_id ?? null };
}

export const subnetResource = (api: Api): ResourceStandIn =>
  bridgedResource(
    {
      kind: "sdk",
      properties: {
        networkId: { type: "number", required: true, forceNew: true },
        type: {
          type: "string",
          required: true,
          forceNew: true,
          validate: oneOf("server", "cloud", "vswitch"),
        },
        networkZone: { type: "string", required: true, forceNew: true },
        ipRange: { type: "string", required: true, forceNew: true, validate: cidr },
        vswitchId: { type: "number", forceNew: true },
        gateway: { type: "string", computed: "output" },
      },
    },
    {
      create: async (planned, { signal }) => {
        const [network, ipRange] = [number(planned, "networkId") ?? 0, text(planned, "ipRange") ?? ""];
        const given = {
          type: text(planned, "type"),
          ip_range: ipRange,
          network_zone: text(planned, "networkZone"),
        };
        const body = { ...given, ...ofProps({ vswitch_id: planned["vswitchId"] }) };
        await api().insist(["conflict"], 5, () =>
          api().act(`/networks/${network}/actions/add_subnet`, { body, signal }),
        );
        const made = await find(api, network, signal);
        return {
          id: `${network}-${ipRange}`,
          state: (made === undefined ? undefined : subnetState(made, ipRange)) ?? {},
        };
      },
      read: async ({ id }) => {
        const { network, ipRange } = parseSubnetId(id);
        const found = await find(api, network);
        const state = found === undefined ? undefined : subnetState(found, ipRange);
        return state === undefined ? undefined : { state };
      },
      delete: async ({ id, signal }) => {
        const { network, ipRange } = parseSubnetId(id);
        const path = `/networks/${network}/actions/delete_subnet`;
        await ifThere(() =>
          api().insist(["conflict", "locked", "service_error"], 10, () =>
            api().act(path, { body: { ip_range: ipRange }, signal }),
          ),
        );
      },
    },
  );

/** Runs a removal; what is gone already is fine. */
export async function ifThere(remove: () => Promise<unknown>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (!isCode(error, "not_found")) throw error;
  }
}

export const routeResource = (api: Api): ResourceStandIn =>
  bridgedResource(
    {
      kind: "sdk",
      properties: {
        networkId: { type: "number", required: true, forceNew: true },
        destination: { type: "string", required: true, forceNew: true, validate: cidr },
        gateway: { type: "string", required: true, forceNew: true },
      },
    },
    {
      create: async (planned, { signal }) => {
        const [network, destination] = [
          number(planned, "networkId") ?? 0,
          text(planned, "destination") ?? "",
        ];
        const body = { destination, gateway: text(planned, "gateway") };
        await api().insist(["conflict"], 5, () =>
          api().act(`/networks/${network}/actions/add_route`, { body, signal }),
        );
        return { id: `${network}-${destination}`, state: {} };
      },
      read: async ({ id }) => {
        const { network, ipRange: destination } = parseSubnetId(id);
        const route = (await find(api, network))?.routes.find(
          (candidate) => candidate.destination === destination,
        );
        return route === undefined
          ? undefined
          : { state: { networkId: network, destination, gateway: route.gateway } };
      },
      delete: async ({ id, state, signal }) => {
        const { network, ipRange: destination } = parseSubnetId(id);
        const body = { destination, gateway: text(state, "gateway") };
        await ifThere(() =>
          api().insist(["conflict", "locked"], 5, () =>
            api().act(`/networks/${network}/actions/delete_route`, { body, signal }),
          ),
        );
      },
    },
  );
