import { refused } from "./errors";
import { selector } from "./labels";
import type { LoadBalancer, Server, Target } from "./model";
import { hostAddress } from "./public-ips";
import type { World } from "./world";

export type Health = "unknown" | "healthy" | "unhealthy";

/** One machine behind a load balancer. */
export interface Backend {
  /** `server-ID` or the address of an `ip` target. */
  readonly key: string;
  readonly server: Server | null;
  /** Where this machine's ports can be dialled; null while the address asked for does not exist. */
  readonly host: string | null;
  readonly usePrivateIp: boolean;
}

function backend(
  world: World,
  balancer: LoadBalancer,
  entry: { server: Server; usePrivateIp: boolean },
): Backend {
  const { server, usePrivateIp } = entry;
  const network = balancer.privateNets[0]?.network;
  const reachable = usePrivateIp
    ? server.privateNets.some((net) => net.network === network)
    : server.ipv4 !== null && balancer.publicEnabled;
  return {
    key: `server-${server.id}`,
    server,
    host: reachable ? hostAddress(world, server) : null,
    usePrivateIp,
  };
}

/** The machines that one target stands for. */
export function resolve(world: World, balancer: LoadBalancer, target: Target): Backend[] {
  const usePrivateIp = target.use_private_ip;
  if (target.type === "ip") return [{ key: target.ip, server: null, host: target.ip, usePrivateIp }];
  const matches =
    target.type === "server"
      ? world.servers.all().filter(({ id }) => id === target.server)
      : world.servers.all().filter((server) => selector(target.selector)(server.labels));
  return matches.map((server) => backend(world, balancer, { server, usePrivateIp }));
}

/** Every machine behind a load balancer, each once. */
export function backends(world: World, balancer: LoadBalancer): Backend[] {
  const all = balancer.targets.flatMap((target) => resolve(world, balancer, target));
  return [...new Map(all.map((entry) => [entry.key, entry])).values()];
}

export const sameTarget = (a: Target, b: Target): boolean =>
  (a.type === "server" && b.type === "server" && a.server === b.server) ||
  (a.type === "ip" && b.type === "ip" && a.ip === b.ip) ||
  (a.type === "label_selector" && b.type === "label_selector" && a.selector === b.selector);

/** Throws when a target cannot be added: already there, or not reachable in the way asked for. */
export function requireTarget(world: World, balancer: LoadBalancer, target: Target): void {
  if (balancer.targets.some((other) => sameTarget(other, target))) {
    throw refused("target_already_defined", "target is already defined");
  }
  const network = balancer.privateNets[0]?.network;
  if (target.use_private_ip && network === undefined) {
    throw refused("load_balancer_not_attached_to_network", "load balancer is not attached to a network");
  }
  if (!target.use_private_ip && !balancer.publicEnabled) {
    throw refused("load_balancer_public_interface_disabled", "the public interface is disabled");
  }
  if (target.type !== "server") return;
  const server = world.servers.get(target.server);
  if (target.use_private_ip && !server.privateNets.some((net) => net.network === network)) {
    throw refused("server_not_attached_to_network", "server is not attached to the network");
  }
  if (!target.use_private_ip && server.ipv4 === null)
    throw refused("missing_ipv4", "server has no public IPv4");
}
