/** A server of the API as the provider keeps it. */
import type { Props, Value } from "../framework/types";
import { flag, list, number, records, text } from "../framework/values";
import { firstOf } from "./addresses";
import type { ApiServer } from "./api-types";
import type { HetznerClient } from "./client";
import { namedState, parseSubnetId } from "./common";

/** Like the provider's get: an id that is not found is tried as a name. */
export async function fetchServer(
  api: HetznerClient,
  id: string | number,
  signal?: AbortSignal,
): Promise<ApiServer | undefined> {
  const found = await api.find<{ server: ApiServer }>(`/servers/${id}`, signal);
  if (found !== undefined) return found.server;
  const { servers } = await api.get<{ servers: ApiServer[] }>("/servers", { query: [["name", id]], signal });
  return servers[0];
}

export const networkOf = (entry: Props): number => {
  const subnet = text(entry, "subnetId");
  return subnet === undefined || subnet === ""
    ? (number(entry, "networkId") ?? 0)
    : parseSubnetId(subnet).network;
};

/** Only the networks that the resource names itself are looked at. */
const networks = (server: ApiServer, wanted: readonly Props[]): Value[] =>
  wanted.flatMap((entry) => {
    const attached = server.private_net.find(({ network }) => network === networkOf(entry));
    if (attached === undefined) return [];
    const place = { networkId: attached.network, subnetId: text(entry, "subnetId") ?? "" };
    return [{ ...place, ip: attached.ip, aliasIps: attached.alias_ips, macAddress: attached.mac_address }];
  });

const publicNets = (server: ApiServer, wanted: readonly Props[]): Value[] =>
  wanted.map((entry) => ({
    ipv4Enabled: server.public_net.ipv4 !== null,
    ipv6Enabled: server.public_net.ipv6 !== null,
    ipv4: isNamed(entry, "ipv4") ? (server.public_net.ipv4?.id ?? 0) : 0,
    ipv6: isNamed(entry, "ipv6") ? (server.public_net.ipv6?.id ?? 0) : 0,
  }));

const isNamed = (entry: Props, key: string): boolean => (number(entry, key) ?? 0) !== 0;

function firewalls(server: ApiServer, before: Props): Value[] {
  const ids = server.public_net.firewalls.map(({ id }) => id);
  const own = list(before, "firewallIds");
  return flag(before, "ignoreRemoteFirewallIds") === true ? ids.filter((id) => own.includes(id)) : ids;
}

/** `before` is the plan or the old state: it says which networks and addresses are the resource's own. */
export function serverState(server: ApiServer, before: Props): Props {
  const { public_net: net } = server;
  return {
    ...before,
    ...namedState(server),
    serverType: server.server_type.name,
    image: server.image === null ? (before["image"] ?? "") : (server.image.name ?? String(server.image.id)),
    location: server.location.name,
    datacenter: null,
    backups: server.backup_window !== null && server.backup_window !== "",
    backupWindow: server.backup_window ?? "",
    firewallIds: firewalls(server, before),
    placementGroupId: server.placement_group?.id ?? null,
    deleteProtection: server.protection.delete,
    rebuildProtection: server.protection.rebuild ?? false,
    networks: networks(server, records(before, "networks")),
    publicNets: publicNets(server, records(before, "publicNets")),
    ipv4Address: net.ipv4?.ip ?? "",
    ipv6Address: net.ipv6 === null ? "" : firstOf(net.ipv6.ip),
    ipv6Network: net.ipv6?.ip ?? "",
    primaryDiskSize: server.primary_disk_size,
    status: server.status,
  };
}
