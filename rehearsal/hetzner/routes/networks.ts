import { z } from "zod";
import type { ActionStart } from "../core/actions";
import { isPrivate, nextRange, parseRange } from "../core/addresses";
import { type Call, created, labels, name, noContent, ok, read, type Reply, type Route } from "../core/call";
import { ApiError, conflict, invalid, limitExceeded } from "../core/errors";
import { checkLabels } from "../core/labels";
import { page } from "../core/lists";
import type { Network, Subnet } from "../core/model";
import { rangeOf, requireSubnetFits, subnetInUse } from "../core/private-nets";
import { networkView } from "../core/views";

const subnetBody = z.object({
  type: z.enum(["cloud", "server", "vswitch"]),
  ip_range: z.string().nullish(),
  network_zone: z.string(),
  vswitch_id: z.number().int().nullish(),
});
const routeBody = z.object({ destination: z.string(), gateway: z.string() });
const createBody = z.object({
  name,
  ip_range: z.string(),
  labels,
  subnets: z.array(subnetBody).nullish(),
  routes: z.array(routeBody).nullish(),
  expose_routes_to_vswitch: z.boolean().nullish(),
});

const first = (cidr: string): string => {
  const [a, b, c, d = "0"] = (cidr.split("/")[0] ?? "").split(".");
  return [a, b, c, Number(d) + 1].join(".");
};

function newSubnet(network: Network, body: z.infer<typeof subnetBody>): Subnet {
  if (network.subnets.length >= 50) throw limitExceeded("subnet");
  const taken = network.subnets.map((subnet) => rangeOf(subnet.ip_range));
  const cidr = body.ip_range ?? nextRange(rangeOf(network.ipRange), 24, taken);
  if (cidr === undefined) throw invalid("ip_range", "no free range in the network");
  requireSubnetFits(network, cidr);
  const other = network.subnets.find(({ network_zone }) => network_zone !== body.network_zone);
  if (other !== undefined)
    throw invalid("network_zone", `network zone of the network is ${other.network_zone}`);
  const { type, network_zone } = body;
  return {
    type,
    ip_range: cidr,
    network_zone,
    gateway: first(network.ipRange),
    vswitch_id: body.vswitch_id ?? null,
  };
}

function requireRoute(network: Network, route: z.infer<typeof routeBody>): void {
  if (network.routes.length >= 100) throw limitExceeded("route");
  if (parseRange(route.destination) === undefined) throw invalid("destination", "must be an IPv4 range");
  const gateway = parseRange(`${route.gateway}/32`);
  const range = rangeOf(network.ipRange);
  if (gateway === undefined || gateway.base < range.base || gateway.base > range.last) {
    throw invalid("gateway", "gateway must be in the network's range");
  }
  if (route.gateway === first(network.ipRange)) throw invalid("gateway", "gateway is reserved");
  if (network.routes.some(({ destination }) => destination === route.destination)) {
    throw invalid("destination", "route already exists");
  }
}

function create(call: Call): Reply {
  const { world } = call;
  const body = read(call, createBody);
  const range = rangeOf(body.ip_range);
  if (!isPrivate(range)) throw invalid("ip_range", "must be in a private range");
  if (range.bits > 24) throw invalid("ip_range", "must be /24 or larger");
  world.networks.requireFree(body.name);
  if (world.networks.all().length >= world.limits.networks) throw limitExceeded("network");
  const network: Network = {
    ...world.fresh(body.name, body.labels),
    lockedBy: null,
    ipRange: body.ip_range,
    subnets: [],
    routes: [],
    exposeRoutesToVswitch: body.expose_routes_to_vswitch ?? false,
  };
  for (const subnet of body.subnets ?? []) network.subnets.push(newSubnet(network, subnet));
  for (const route of body.routes ?? []) {
    requireRoute(network, route);
    network.routes.push(route);
  }
  world.networks.add(network);
  return created({ network: networkView(world, network) });
}

const updateBody = z.object({
  name: name.nullish(),
  labels,
  expose_routes_to_vswitch: z.boolean().nullish(),
});

function update(call: Call): Reply {
  const network = call.world.networks.get(call.id);
  const body = read(call, updateBody);
  if (body.name != null) call.world.networks.requireFree(body.name, network.id);
  checkLabels(body.labels ?? {});
  network.name = body.name ?? network.name;
  network.labels = body.labels ?? network.labels;
  network.exposeRoutesToVswitch = body.expose_routes_to_vswitch ?? network.exposeRoutesToVswitch;
  return ok({ network: networkView(call.world, network) });
}

/** Whatever is attached loses its address, as with the API. */
function remove({ world, id }: Call): Reply {
  const network = world.networks.unprotected(id);
  const stays = (net: { network: number }): boolean => net.network !== network.id;
  for (const server of world.servers.all()) server.privateNets = server.privateNets.filter(stays);
  for (const balancer of world.loadBalancers.all()) balancer.privateNets = balancer.privateNets.filter(stays);
  world.networks.remove(network.id);
  return noContent;
}

/** One change of a network at a time: another one meets `conflict`. */
function change(call: Call, command: string, finish: NonNullable<ActionStart["finish"]>): Reply {
  const network = call.world.networks.get(call.id);
  const resources = [{ id: network.id, type: "network" }];
  return created({ action: call.world.actions.start({ command, resources, locks: [network], finish }) });
}

const unlocked = ({ world, id }: Call): Network => {
  const network = world.networks.get(id);
  if (network.lockedBy !== null) throw conflict();
  return network;
};

function addSubnet(call: Call): Reply {
  const network = unlocked(call);
  const subnet = newSubnet(network, read(call, subnetBody));
  return change(call, "add_subnet", () => void network.subnets.push(subnet));
}

function deleteSubnet(call: Call): Reply {
  const network = unlocked(call);
  const { ip_range } = read(call, z.object({ ip_range: z.string() }));
  const subnet = network.subnets.find((entry) => entry.ip_range === ip_range);
  if (subnet === undefined) throw invalid("ip_range", `${ip_range} is not a subnet of the network`);
  if (subnetInUse(call.world, network, subnet)) {
    const message = "cannot remove subnet because servers are attached to it";
    throw new ApiError(422, { code: "service_error", message });
  }
  return change(call, "delete_subnet", () => {
    network.subnets = network.subnets.filter((entry) => entry !== subnet);
  });
}

function addRoute(call: Call): Reply {
  const network = unlocked(call);
  const route = read(call, routeBody);
  requireRoute(network, route);
  return change(call, "add_route", () => void network.routes.push(route));
}

function deleteRoute(call: Call): Reply {
  const network = unlocked(call);
  const { destination, gateway } = read(call, routeBody);
  const route = network.routes.find(
    (entry) => entry.destination === destination && entry.gateway === gateway,
  );
  if (route === undefined) throw invalid("destination", "route does not exist");
  return change(call, "delete_route", () => {
    network.routes = network.routes.filter((entry) => entry !== route);
  });
}

function changeIpRange(call: Call): Reply {
  const network = unlocked(call);
  const { ip_range } = read(call, z.object({ ip_range: z.string() }));
  const [wanted, now] = [rangeOf(ip_range), rangeOf(network.ipRange)];
  if (wanted.base !== now.base || wanted.bits > now.bits) throw invalid("ip_range", "can only be extended");
  return change(call, "change_ip_range", () => {
    network.ipRange = ip_range;
  });
}

function changeProtection(call: Call): Reply {
  const network = unlocked(call);
  const body = read(call, z.object({ delete: z.boolean() }));
  return change(call, "change_protection", () => {
    network.protection.delete = body.delete;
  });
}

export const networkRoutes: readonly Route[] = [
  [
    "GET /networks",
    ({ world, query }) => {
      const networks = world.networks.all().map((network) => networkView(world, network));
      return ok(page("networks", networks, query));
    },
  ],
  ["GET /networks/:id", ({ world, id }) => ok({ network: networkView(world, world.networks.get(id)) })],
  ["POST /networks", create],
  ["PUT /networks/:id", update],
  ["DELETE /networks/:id", remove],
  ["POST /networks/:id/actions/add_subnet", addSubnet],
  ["POST /networks/:id/actions/delete_subnet", deleteSubnet],
  ["POST /networks/:id/actions/add_route", addRoute],
  ["POST /networks/:id/actions/delete_route", deleteRoute],
  ["POST /networks/:id/actions/change_ip_range", changeIpRange],
  ["POST /networks/:id/actions/change_protection", changeProtection],
];
