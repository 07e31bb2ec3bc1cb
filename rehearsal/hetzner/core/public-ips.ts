import { limitExceeded } from "./errors";
import type { Labels, PrimaryIp, Server } from "./model";
import type { World } from "./world";

export interface NewPrimaryIp {
  readonly name: string | null;
  readonly type: "ipv4" | "ipv6";
  readonly location: string;
  readonly autoDelete: boolean;
  readonly labels?: Labels | null | undefined;
}

export function createPrimaryIp(world: World, wanted: NewPrimaryIp): PrimaryIp {
  if (world.primaryIps.all().length >= world.limits.primaryIps) throw limitExceeded("Primary IP");
  const ip = wanted.type === "ipv4" ? world.publicIpv4() : `${world.publicIpv6Prefix()}::/64`;
  const fresh = world.fresh(wanted.name ?? "", wanted.labels);
  return world.primaryIps.add({
    ...fresh,
    name: wanted.name ?? `primary_ip-${fresh.id}`,
    ip,
    type: wanted.type,
    location: wanted.location,
    assignee: null,
    autoDelete: wanted.autoDelete,
    dns_ptr: [],
  });
}

export function removePrimaryIp(world: World, ip: PrimaryIp): void {
  world.primaryIps.remove(ip.id);
  if (ip.type === "ipv4") world.pool.free(ip.ip);
}

export function assign(server: Server, ip: PrimaryIp): void {
  ip.assignee = server.id;
  server[ip.type] = ip.id;
}

export function unassign(world: World, ip: PrimaryIp): void {
  const server = world.servers.find(ip.assignee);
  ip.assignee = null;
  if (server !== undefined) server[ip.type] = null;
}

/** Loopback address on which a server's machine listens: its public IPv4 or, without one, an address of its own. */
export function hostAddress(world: World, server: Server): string {
  const ipv4 = world.primaryIps.find(server.ipv4);
  if (ipv4 !== undefined) return ipv4.ip;
  server.spareAddress ??= world.publicIpv4();
  return server.spareAddress;
}

/** Gives back every address of a server that goes. */
export function releaseAddresses(world: World, server: Server): void {
  for (const ip of world.primaryIps.all()) {
    if (ip.assignee !== server.id) continue;
    unassign(world, ip);
    if (ip.autoDelete) removePrimaryIp(world, ip);
  }
  if (server.spareAddress !== null) world.pool.free(server.spareAddress);
}
