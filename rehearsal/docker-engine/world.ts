import { randomBytes } from "node:crypto";
import { join } from "node:path";

import type { RunningProcess } from "../processes";
import type { ContainerConfig, EndpointConfig, HostConfig } from "./bodies";
import { EngineError } from "./http";

export interface EngineImage {
  readonly id: string;
  readonly references: Set<string>;
  readonly created: string;
  /** Set for Talos images; other images run nothing. */
  readonly talosVersion: string | undefined;
}

export interface EngineVolume {
  readonly name: string;
  readonly created: string;
  readonly labels: Readonly<Record<string, string>> | null;
  readonly options: Readonly<Record<string, string>> | null;
  readonly mountpoint: string;
  readonly anonymous: boolean;
}

export interface EngineNetwork {
  readonly id: string;
  readonly name: string;
  readonly created: string;
  readonly driver: string;
  readonly subnet: string;
  readonly gateway: string;
  /** False for a subnet that the engine chose: fixed addresses are refused there. */
  readonly configured: boolean;
  /** The gateway as inspect shows it: dockerd shows one that it chose only after its own restart. */
  readonly ipamConfig: Readonly<Record<string, unknown>>;
  readonly ipamOptions: Readonly<Record<string, string>> | null;
  readonly internal: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, string>>;
}

/** A container's place on one network; `address` is empty while it does not run. */
export interface Endpoint {
  readonly network: EngineNetwork;
  readonly config: EndpointConfig | undefined;
  readonly id: string;
  address: string;
  /** The engine looks the network up at the first start; until then inspect shows no id. */
  known: boolean;
}

interface ContainerState {
  status: "created" | "running" | "restarting" | "exited" | "removing";
  exitCode: number;
  error: string;
  startedAt: string;
  finishedAt: string;
  restartCount: number;
  manuallyStopped: boolean;
}

/** One published port of a running container. */
export interface PublishedPort {
  readonly containerPort: string;
  readonly hostIp: string;
  readonly hostPort: number;
}

export interface EngineContainer {
  readonly id: string;
  readonly name: string;
  readonly created: string;
  readonly image: EngineImage;
  readonly config: ContainerConfig;
  readonly hostConfig: HostConfig;
  /** Target in the container to volume. */
  readonly volumes: ReadonlyMap<string, EngineVolume>;
  readonly endpoints: Map<string, Endpoint>;
  readonly state: ContainerState;
  readonly folder: string;
  /** Host addresses of ports that are not published, by container port; kept for the container's life. */
  readonly listeners: Map<string, string>;
  published: readonly PublishedPort[];
  process: RunningProcess | undefined;
  restartTimer: NodeJS.Timeout | undefined;
  ended: Promise<void>;
}

export const NEVER = "0001-01-01T00:00:00Z";
export const newId = (): string => randomBytes(32).toString("hex");
export const now = (): string => new Date().toISOString();

/** Everything that the engine holds. */
export interface World {
  readonly dir: string;
  readonly images: Map<string, EngineImage>;
  readonly volumes: Map<string, EngineVolume>;
  readonly networks: Map<string, EngineNetwork>;
  readonly containers: Map<string, EngineContainer>;
  readonly execs: Map<
    string,
    { readonly container: EngineContainer; readonly command: readonly string[]; exitCode: number | null }
  >;
}

const builtIn = (name: string, driver: string, subnet: string): EngineNetwork => ({
  id: newId(),
  name,
  created: now(),
  driver,
  subnet,
  gateway: subnet.replace(/\.0\/\d+$/, ".1"),
  configured: false,
  ipamConfig: { Subnet: subnet },
  ipamOptions: null,
  internal: false,
  labels: {},
  options: name === "bridge" ? { "com.docker.network.bridge.default_bridge": "true" } : {},
});

export function newWorld(dir: string): World {
  const networks = new Map<string, EngineNetwork>();
  for (const network of [
    builtIn("bridge", "bridge", "172.17.0.0/16"),
    builtIn("host", "host", ""),
    builtIn("none", "null", ""),
  ]) {
    networks.set(network.id, network);
  }
  return { dir, images: new Map(), volumes: new Map(), networks, containers: new Map(), execs: new Map() };
}

/** Finds by full id, unambiguous id prefix or name, as the engine does. */
export function findContainer(world: World, reference: string): EngineContainer {
  const wanted = reference.replace(/^\//, "");
  const all = [...world.containers.values()];
  const found =
    all.find(({ id, name }) => id === wanted || name === wanted) ??
    all.find(({ id }) => id.startsWith(wanted));
  if (found === undefined) throw new EngineError(404, `No such container: ${reference}`);
  return found;
}

export function findNetwork(world: World, reference: string): EngineNetwork {
  const all = [...world.networks.values()];
  const found =
    all.find(({ id, name }) => id === reference || name === reference) ??
    all.find(({ id }) => id.startsWith(reference));
  if (found === undefined) throw new EngineError(404, `network ${reference} not found`);
  return found;
}

export const isRunning = (container: EngineContainer): boolean => container.process !== undefined;

/** Containers with a live endpoint on the network. */
export const activeOn = (world: World, network: EngineNetwork): EngineContainer[] =>
  [...world.containers.values()].filter(
    (container) => (container.endpoints.get(network.id)?.address ?? "") !== "",
  );

export const usersOf = (world: World, volume: EngineVolume): EngineContainer[] =>
  [...world.containers.values()].filter((container) => [...container.volumes.values()].includes(volume));

export const routesFile = (world: World, network: EngineNetwork): string =>
  join(world.dir, "routes", `${network.name}.json`);
