import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import ipaddr from "ipaddr.js";

import type { EndpointConfig } from "./bodies";
import { EngineError } from "./http";
import type { Endpoint, EngineContainer, EngineNetwork, World } from "./world";
import { activeOn, newId, routesFile } from "./world";

export function attach(
  container: EngineContainer,
  network: EngineNetwork,
  config: EndpointConfig | undefined,
): void {
  container.endpoints.set(network.id, { network, config, id: newId(), address: "", known: false });
}

export function detach(container: EngineContainer, network: EngineNetwork): void {
  container.endpoints.delete(network.id);
}

const wantedAddress = ({ config }: Endpoint): string => config?.IPAMConfig?.IPv4Address ?? "";

function nextFree(network: EngineNetwork, taken: ReadonlySet<string>): string {
  const [base, prefix] = ipaddr.IPv4.parseCIDR(network.subnet);
  const bytes = base.toByteArray();
  const start = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  for (let offset = 1; offset < 2 ** (32 - prefix) - 1; offset += 1) {
    const value = start + offset;
    const address = [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");
    if (!taken.has(address)) return address;
  }
  throw new EngineError(500, "no available IPv4 addresses on this network's address pools");
}

function addressFor(world: World, container: EngineContainer, endpoint: Endpoint): string {
  const { network } = endpoint;
  const others = activeOn(world, network).filter((other) => other !== container);
  const taken = new Set([
    network.gateway,
    ...others.map((other) => other.endpoints.get(network.id)?.address ?? ""),
  ]);
  const wanted = wantedAddress(endpoint);
  if (wanted === "") return nextFree(network, taken);
  if (!ipaddr.IPv4.parse(wanted).match(ipaddr.IPv4.parseCIDR(network.subnet))) {
    throw new EngineError(
      500,
      `Invalid address ${wanted}: It does not belong to any of this network's subnets`,
    );
  }
  if (taken.has(wanted)) throw new EngineError(403, "Address already in use");
  return wanted;
}

/** Gives every endpoint its address, as the engine does when the container starts. */
export function allocate(world: World, container: EngineContainer): void {
  for (const endpoint of container.endpoints.values()) {
    endpoint.known = true;
    if (endpoint.network.subnet !== "" && endpoint.address === "")
      endpoint.address = addressFor(world, container, endpoint);
  }
}

export function release(container: EngineContainer): void {
  for (const endpoint of container.endpoints.values()) endpoint.address = "";
}

/** The network that a node's own address is on: a user network before the default bridge. */
export function mainEndpoint(container: EngineContainer): Endpoint | undefined {
  const all = [...container.endpoints.values()];
  return all.find(({ network }) => network.name !== "bridge") ?? all[0];
}

const routesOf = (container: EngineContainer, network: EngineNetwork): [string, string][] => {
  const endpoint = container.endpoints.get(network.id);
  if (endpoint === undefined) return [];
  const address = endpoint.address === "" ? wantedAddress(endpoint) : endpoint.address;
  return address === ""
    ? []
    : [...container.listeners].map(([port, listener]) => [`${address}:${port}`, listener]);
};

/** Writes where each node of the network listens on this machine. Stopped nodes stay in it: their ports refuse. */
export function writeRoutes(world: World, network: EngineNetwork): string {
  const routes = [...world.containers.values()].flatMap((container) => routesOf(container, network));
  const file = routesFile(world, network);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(Object.fromEntries(routes)), { mode: 0o600 });
  return file;
}
