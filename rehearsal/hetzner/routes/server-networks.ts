import { z } from "zod";
import { overlaps } from "../core/addresses";
import { type Call, created, read, type Reply, type Route } from "../core/call";
import { limitExceeded, refused } from "../core/errors";
import type { Network, PrivateNet, Server } from "../core/model";
import { chooseAddress, rangeOf, requireFreeAddress } from "../core/private-nets";
import type { World } from "../core/world";
import { macAddress } from "./servers";

const attachBody = z.object({
  network: z.number().int(),
  ip: z.string().nullish(),
  ip_range: z.string().nullish(),
  alias_ips: z.array(z.string()).max(5, "at most 5 alias IPs.").nullish(),
});

function requireAttachable(world: World, server: Server, network: Network): void {
  if (server.privateNets.some((net) => net.network === network.id)) {
    throw refused("server_already_attached", "server is already attached to the network");
  }
  if (server.privateNets.length >= 3) throw limitExceeded("network");
  const range = rangeOf(network.ipRange);
  const others = server.privateNets.map((net) => world.networks.get(net.network));
  if (others.some((other) => overlaps(rangeOf(other.ipRange), range))) {
    throw refused("networks_overlap", "network overlaps with another network of the server");
  }
  const members = world.servers
    .all()
    .filter((other) => other.privateNets.some((net) => net.network === network.id));
  if (members.length >= 100) throw limitExceeded("network member");
}

function attach(call: Call): Reply {
  const { world } = call;
  const server = world.servers.get(call.id);
  const body = read(call, attachBody);
  const network = world.networks.get(body.network);
  world.unlockedServer(call.id);
  requireAttachable(world, server, network);
  const ip = chooseAddress(world, {
    network,
    location: server.location,
    ip: body.ip,
    ip_range: body.ip_range,
  });
  const net: PrivateNet = { network: network.id, ip, alias_ips: [], mac_address: macAddress() };
  for (const alias of body.alias_ips ?? []) {
    requireFreeAddress(world, network, alias);
    net.alias_ips.push(alias);
  }
  const settle = (): void => {
    server.pendingNets = server.pendingNets.filter((other) => other !== net);
  };
  server.pendingNets.push(net);
  const finish = async (): Promise<void> => {
    settle();
    server.privateNets.push(net);
    if (server.status === "running") await world.machines.boot(server);
  };
  return created({ action: world.serverAction(server, "attach_to_network", { finish, abandon: settle }) });
}

const networkBody = z.object({ network: z.number().int() });

const netOf = (server: Server, network: number): PrivateNet => {
  const net = server.privateNets.find((entry) => entry.network === network);
  if (net === undefined) throw refused("invalid_input", "server is not attached to the network");
  return net;
};

function detach(call: Call): Reply {
  const { world } = call;
  const server = world.unlockedServer(call.id);
  const net = netOf(server, read(call, networkBody).network);
  const finish = async (): Promise<void> => {
    server.privateNets = server.privateNets.filter((other) => other !== net);
    if (server.status === "running") await world.machines.boot(server);
  };
  return created({ action: world.serverAction(server, "detach_from_network", { finish }) });
}

const aliasBody = z.object({
  network: z.number().int(),
  alias_ips: z.array(z.string()).max(5, "at most 5 alias IPs."),
});

function changeAliases(call: Call): Reply {
  const { world } = call;
  const server = world.unlockedServer(call.id);
  const body = read(call, aliasBody);
  const net = netOf(server, body.network);
  const network = world.networks.get(body.network);
  for (const ip of body.alias_ips) {
    if (!net.alias_ips.includes(ip)) requireFreeAddress(world, network, ip);
  }
  const finish = (): void => {
    net.alias_ips = body.alias_ips;
  };
  return created({ action: world.serverAction(server, "change_alias_ips", { finish }) });
}

export const serverNetworkRoutes: readonly Route[] = [
  ["POST /servers/:id/actions/attach_to_network", attach],
  ["POST /servers/:id/actions/detach_from_network", detach],
  ["POST /servers/:id/actions/change_alias_ips", changeAliases],
];
