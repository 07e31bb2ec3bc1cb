import { contains, overlaps, parseRange, type Range, toAddress, toNumber } from "./addresses";
import { zoneOf } from "./catalogue";
import { invalid, refused } from "./errors";
import type { Network, Subnet } from "./model";
import type { World } from "./world";

export const rangeOf = (cidr: string): Range => {
  const range = parseRange(cidr);
  if (range === undefined) throw invalid("ip_range", `${cidr} is not a valid IPv4 range`);
  return range;
};

/** Every address that somebody holds in a network, also by an action that still runs. */
function takenAddresses(world: World, network: number): Set<string> {
  const servers = world.servers.all().flatMap((server) => [...server.privateNets, ...server.pendingNets]);
  const own = servers.filter((net) => net.network === network);
  const balancers = world.loadBalancers.all().flatMap((balancer) => balancer.privateNets);
  return new Set([
    ...own.flatMap((net) => [net.ip, ...net.alias_ips]),
    ...balancers.filter((net) => net.network === network).map((net) => net.ip),
  ]);
}

/** The network's gateway, and each subnet's first and last address, can be nobody's. */
function isReserved(network: Network, subnet: Subnet, ip: number): boolean {
  const range = rangeOf(subnet.ip_range);
  return (
    ip === rangeOf(network.ipRange).base + 1 ||
    ip === range.base ||
    ip === range.last ||
    toAddress(ip) === "172.31.1.1"
  );
}

const subnetOf = (network: Network, ip: string): Subnet | undefined => {
  const value = toNumber(ip);
  return network.subnets.find(({ ip_range }) => {
    const range = rangeOf(ip_range);
    return range.base <= value && value <= range.last;
  });
};

/** Throws unless the address lies in a subnet, is not reserved and free. */
export function requireFreeAddress(world: World, network: Network, ip: string): void {
  if (parseRange(`${ip}/32`) === undefined) throw invalid("ip", `${ip} is not a valid IPv4 address`);
  const subnet = subnetOf(network, ip);
  if (subnet === undefined) throw invalid("ip", `${ip} is not in a subnet of the network`);
  if (isReserved(network, subnet, toNumber(ip)) || takenAddresses(world, network.id).has(ip)) {
    throw refused("ip_not_available", `IP ${ip} is not available`);
  }
}

const byRange = (a: Subnet, b: Subnet): number => rangeOf(b.ip_range).base - rangeOf(a.ip_range).base;

/** What a call asks for when attaching. */
export interface AttachRequest {
  readonly network: Network;
  readonly location: string;
  readonly ip?: string | null | undefined;
  readonly ip_range?: string | null | undefined;
}

/** The address given to who attaches: the one asked for, else the lowest free one of the subnet asked for or the highest subnet. */
export function chooseAddress(world: World, asked: AttachRequest): string {
  const { network } = asked;
  const zone = zoneOf(asked.location);
  const subnets = network.subnets.filter(({ network_zone }) => network_zone === zone).sort(byRange);
  if (subnets.length === 0) throw refused("no_subnet_available", "network has no subnet in the network zone");
  if (typeof asked.ip === "string") {
    requireFreeAddress(world, network, asked.ip);
    return asked.ip;
  }
  const chosen =
    typeof asked.ip_range === "string"
      ? subnets.filter(({ ip_range }) => ip_range === asked.ip_range)
      : subnets;
  if (chosen.length === 0)
    throw invalid("ip_range", `${asked.ip_range ?? ""} is not a subnet of the network`);
  const taken = takenAddresses(world, network.id);
  for (const subnet of chosen) {
    const range = rangeOf(subnet.ip_range);
    for (let ip = range.base + 1; ip < range.last; ip += 1) {
      if (!isReserved(network, subnet, ip) && !taken.has(toAddress(ip))) return toAddress(ip);
    }
  }
  throw refused("ip_not_available", "no free IP in the subnet");
}

/** Throws when a new subnet leaves the network's range or meets another one. */
export function requireSubnetFits(network: Network, cidr: string): void {
  const range = rangeOf(cidr);
  if (range.bits > 29) throw invalid("ip_range", "subnet must be /29 or larger");
  if (!contains(rangeOf(network.ipRange), range)) {
    throw invalid("ip_range", `subnet ${cidr} is not within the network range ${network.ipRange}`);
  }
  const clash = network.subnets.find((subnet) => overlaps(rangeOf(subnet.ip_range), range));
  if (clash !== undefined) throw invalid("ip_range", `subnet ${cidr} overlaps with subnet ${clash.ip_range}`);
}

/** True when a server or a load balancer has an address in the subnet. */
export function subnetInUse(world: World, network: Network, subnet: Subnet): boolean {
  const range = rangeOf(subnet.ip_range);
  return [...takenAddresses(world, network.id)].some((ip) => {
    const value = toNumber(ip);
    return range.base <= value && value <= range.last;
  });
}
