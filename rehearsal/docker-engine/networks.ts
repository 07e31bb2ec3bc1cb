import { rmSync } from "node:fs";

import ipaddr from "ipaddr.js";

import type { EndpointConfig } from "./bodies";
import { hasLabels, parseFilters, parseNetworkConnect, parseNetworkCreate } from "./bodies";
import { allocate, attach, detach } from "./endpoints";
import type { Route } from "./http";
import { EngineError, route } from "./http";
import type { EngineContainer, EngineNetwork, World } from "./world";
import { activeOn, findContainer, findNetwork, isRunning, newId, now, routesFile } from "./world";

const overlaps = (left: string, right: string): boolean => {
  const [a, b] = [ipaddr.IPv4.parseCIDR(left), ipaddr.IPv4.parseCIDR(right)];
  return a[0].match(b) || b[0].match(a);
};

const subnets = (world: World): string[] =>
  [...world.networks.values()].map(({ subnet }) => subnet).filter((text) => text !== "");

function freeSubnet(world: World): string {
  for (let second = 18; second < 32; second += 1) {
    const subnet = `172.${second}.0.0/16`;
    if (!subnets(world).some((used) => overlaps(used, subnet))) return subnet;
  }
  throw new EngineError(
    404,
    "could not find an available, non-overlapping IPv4 address pool among the defaults to assign to the network",
  );
}

function checkSubnet(world: World, subnet: string): void {
  if (!/^(\d+\.){3}\d+\/\d+$/.test(subnet) || !ipaddr.IPv4.isValidCIDR(subnet)) {
    throw new EngineError(500, `Invalid subnet ${subnet} : invalid CIDR address: ${subnet}`);
  }
  if (subnets(world).some((used) => overlaps(used, subnet))) {
    throw new EngineError(403, "Pool overlaps with other one on this address space");
  }
}

const firstAddress = (subnet: string): string => {
  const bytes = ipaddr.IPv4.networkAddressFromCIDR(subnet).toByteArray();
  return [...bytes.slice(0, 3), (bytes[3] ?? 0) + 1].join(".");
};

function create(world: World, body: unknown): EngineNetwork {
  const wanted = parseNetworkCreate(body);
  const taken = [...world.networks.values()].some(({ name }) => name === wanted.Name);
  if (taken) throw new EngineError(409, `network with name ${wanted.Name} already exists`);
  const [ipam] = wanted.IPAM?.Config ?? [];
  const given = ipam?.Subnet === undefined || ipam.Subnet === "" ? undefined : ipam.Subnet;
  if (given !== undefined) checkSubnet(world, given);
  const subnet = given ?? freeSubnet(world);
  const gateway = ipam?.Gateway === undefined || ipam.Gateway === "" ? firstAddress(subnet) : ipam.Gateway;
  const shown = ipam?.Gateway === undefined || ipam.Gateway === "" ? {} : { Gateway: gateway };
  const network: EngineNetwork = {
    id: newId(),
    name: wanted.Name,
    created: now(),
    driver: wanted.Driver === undefined || wanted.Driver === "" ? "bridge" : wanted.Driver,
    subnet,
    gateway,
    configured: given !== undefined,
    ipamConfig: { Subnet: subnet, ...(given === undefined ? { Gateway: gateway } : shown) },
    ipamOptions: wanted.IPAM?.Options ?? null,
    internal: wanted.Internal ?? false,
    labels: wanted.Labels ?? {},
    options: wanted.Options ?? {},
  };
  world.networks.set(network.id, network);
  return network;
}

const member = (network: EngineNetwork, container: EngineContainer) => {
  const endpoint = container.endpoints.get(network.id);
  const prefix = network.subnet.split("/")[1] ?? "0";
  return {
    Name: container.name,
    EndpointID: endpoint?.id ?? "",
    IPv4Address: `${endpoint?.address ?? ""}/${prefix}`,
    IPv6Address: "",
  };
};

const inspect = (world: World, network: EngineNetwork) => ({
  Name: network.name,
  Id: network.id,
  Created: network.created,
  Scope: "local",
  Driver: network.driver,
  EnableIPv6: false,
  IPAM: {
    Driver: "default",
    Options: network.ipamOptions,
    Config: network.subnet === "" ? [] : [network.ipamConfig],
  },
  Internal: network.internal,
  Attachable: false,
  Ingress: false,
  ConfigFrom: { Network: "" },
  ConfigOnly: false,
  Containers: Object.fromEntries(
    activeOn(world, network).map((container) => [container.id, member(network, container)]),
  ),
  Options: network.options,
  Labels: network.labels,
});

function remove(world: World, reference: string): void {
  const network = findNetwork(world, reference);
  if (["bridge", "host", "none"].includes(network.name)) {
    throw new EngineError(403, `${network.name} is a pre-defined network and cannot be removed`);
  }
  if (activeOn(world, network).length > 0) {
    throw new EngineError(
      403,
      `error while removing network: network ${network.name} id ${network.id} has active endpoints`,
    );
  }
  world.networks.delete(network.id);
  rmSync(routesFile(world, network), { force: true });
}

function checkAddress(network: EngineNetwork, config: EndpointConfig | null | undefined): void {
  const address = config?.IPAMConfig?.IPv4Address ?? "";
  if (address !== "" && !network.configured) {
    throw new EngineError(
      400,
      "user specified IP address is supported only when connecting to networks with user configured subnets",
    );
  }
}

/** A stopped container that is already there keeps its old settings: dockerd drops the new ones without a word. */
function connect(world: World, reference: string, body: unknown): void {
  const network = findNetwork(world, reference);
  const { Container: name, EndpointConfig: config } = parseNetworkConnect(body);
  const container = findContainer(world, name);
  if (container.endpoints.has(network.id)) {
    if (!isRunning(container)) return;
    throw new EngineError(
      403,
      `endpoint with name ${container.name} already exists in network ${network.name}`,
    );
  }
  checkAddress(network, config);
  attach(container, network, config ?? undefined);
  if (isRunning(container)) allocate(world, container);
}

function disconnect(world: World, reference: string, body: unknown): void {
  const network = findNetwork(world, reference);
  const container = findContainer(world, parseNetworkConnect(body).Container);
  if (!container.endpoints.has(network.id)) {
    throw new EngineError(500, `container ${container.id} is not connected to the network ${network.name}`);
  }
  detach(container, network);
}

function list(world: World, filtersText: string | null): EngineNetwork[] {
  const filters = parseFilters(filtersText);
  const [names, ids, drivers] = [filters.get("name"), filters.get("id"), filters.get("driver")];
  return [...world.networks.values()]
    .filter(({ labels }) => hasLabels(labels, filters.get("label")))
    .filter(({ name }) => names === undefined || names.some((part) => name.includes(part)))
    .filter(({ id }) => ids === undefined || ids.some((part) => id.startsWith(part)))
    .filter(({ driver }) => drivers === undefined || drivers.includes(driver));
}

export const networkRoutes = (world: World): Route[] => [
  route("GET", "/networks", ({ query }) => ({
    status: 200,
    json: list(world, query.get("filters")).map((network) => inspect(world, network)),
  })),
  route("POST", "/networks/create", ({ body }) => ({
    status: 201,
    json: { Id: create(world, body).id, Warning: "" },
  })),
  route("GET", "/networks/:id", ({ params }) => ({
    status: 200,
    json: inspect(world, findNetwork(world, params["id"] ?? "")),
  })),
  route("DELETE", "/networks/:id", ({ params }) => {
    remove(world, params["id"] ?? "");
    return { status: 204 };
  }),
  route("POST", "/networks/:id/connect", ({ params, body }) => {
    connect(world, params["id"] ?? "", body);
    return { status: 200 };
  }),
  route("POST", "/networks/:id/disconnect", ({ params, body }) => {
    disconnect(world, params["id"] ?? "", body);
    return { status: 200 };
  }),
];
