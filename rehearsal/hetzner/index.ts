import { accessSync, constants, mkdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Actions } from "./core/actions";
import { Api } from "./core/api";
import { Faults } from "./core/faults";
import type { LoggedRequest } from "./core/log";
import { RateLimit } from "./core/rate-limit";
import { seedSystemImages, seedTalosSnapshot, type TalosSnapshot } from "./core/seed";
import { type Limits, World } from "./core/world";
import { Balancers } from "./live/balancers";
import { killLeftovers } from "./live/leftovers";
import { type NodeProcess, SimulatedMachines } from "./live/machines";
import { RoutesFile } from "./live/routes-file";
import { routes } from "./routes/all";

export interface HetznerOptions {
  /** Folder of this account: disks, logs, routes. Made here and removed by `stop`. */
  readonly dir: string;
  /** Path of the simnode executable. */
  readonly simnode: string;
  /** The project's API token, 64 characters. */
  readonly token: string;
  /** First three numbers of the public addresses: `127.20.0`. */
  readonly publicNetwork: string;
  /** What the seeded snapshot holds. */
  readonly talosVersion: string;
  /** The seeded snapshot's schematic, 64 hex digits. */
  readonly schematicId?: string;
  /** How long an action takes, in ms (default 50). */
  readonly actionMs?: number;
  /** How long a booted server waits for its first private network, in ms (default 400). */
  readonly bootDelayMs?: number;
  /** Longest time between two health checks of a load balancer, in ms (default 500). */
  readonly healthMs?: number;
  readonly requestsPerHour?: number;
  readonly limits?: Partial<Limits>;
}

/** Names of what the account holds, beyond what it held at the start. */
interface Inventory {
  readonly servers: readonly string[];
  readonly networks: readonly string[];
  readonly firewalls: readonly string[];
  readonly placementGroups: readonly string[];
  readonly loadBalancers: readonly string[];
  readonly primaryIps: readonly string[];
  readonly snapshots: readonly string[];
  readonly volumes: readonly string[];
  readonly sshKeys: readonly string[];
  /** Process ids of simulated nodes. */
  readonly processes: readonly number[];
}

export interface Hetzner {
  /** `http://127.0.0.1:PORT/v1` */
  readonly url: string;
  /** Id of the seeded Talos snapshot. */
  readonly snapshotId: number;
  /** Every request, oldest first. */
  readonly requests: readonly LoggedRequest[];
  readonly faults: Faults;
  /** Adds a snapshot to the account, gives its id. */
  addSnapshot(snapshot: TalosSnapshot): number;
  /** Says how many servers of a type a location still has. */
  setStock(serverType: string, location: string, count: number): void;
  inventory(): Inventory;
  /** The simulated node of a server; undefined when it never ran one. */
  simnodeFor(serverName: string): NodeProcess | undefined;
  /** Kills a node's process without the API noticing. */
  killNode(serverName: string): Promise<void>;
  /** Ends every process and listener and removes the folder. */
  stop(): Promise<void>;
}

const noSchematic = "0".repeat(64);

const names = (rows: readonly { name: string }[]): string[] => rows.map(({ name }) => name);

function inventory(world: World, machines: SimulatedMachines): Inventory {
  const snapshots = world.images.all().filter(({ type, seeded }) => type !== "system" && !seeded);
  return {
    servers: names(world.servers.all()),
    networks: names(world.networks.all()),
    firewalls: names(world.firewalls.all()),
    placementGroups: names(world.placementGroups.all()),
    loadBalancers: names(world.loadBalancers.all()),
    primaryIps: names(world.primaryIps.all()),
    snapshots: snapshots.map(({ description }) => description),
    volumes: names(world.volumes.all()),
    sshKeys: names(world.sshKeys.all()),
    processes: machines.pids(),
  };
}

/** The parts that live next to the world, and how a change reaches them. */
function bringToLife(options: HetznerOptions) {
  const world = new World(options);
  const routesFile = new RoutesFile(join(options.dir, "routes.json"), world);
  const balancers = new Balancers(world, { maxIntervalMs: options.healthMs ?? 500 });
  const machines = new SimulatedMachines(world, {
    dir: options.dir,
    simnode: options.simnode,
    routesFile: routesFile.path,
    bootDelayMs: options.bootDelayMs ?? 400,
  });
  const changed = async (): Promise<void> => {
    await balancers.sync();
    routesFile.write(balancers.routes());
  };
  const durationMs = options.actionMs ?? 50;
  world.actions = new Actions({ nextId: world.nextId, durationMs, onEnd: changed });
  world.machines = machines;
  world.health = balancers.health;
  return { world, balancers, machines, changed };
}

/** Starts a simulated Hetzner Cloud account: all it has lives in this process, in `dir` and on loopback. Throws when `simnode` cannot be run. */
export async function startHetzner(options: HetznerOptions): Promise<Hetzner> {
  accessSync(options.simnode, constants.X_OK);
  await killLeftovers(options);
  rmSync(options.dir, { recursive: true, force: true });
  mkdirSync(options.dir, { recursive: true, mode: 0o700 });
  const { world, balancers, machines, changed } = bringToLife(options);
  seedSystemImages(world);
  const { talosVersion, schematicId = noSchematic } = options;
  const snapshot = seedTalosSnapshot(world, { talosVersion, schematicId });
  const faults = new Faults(() => world.actions.release());
  const requests: LoggedRequest[] = [];
  const rateLimit = new RateLimit(options.requestsPerHour ?? 3600);
  const api = new Api({ world, routes, token: options.token, faults, rateLimit, requests, changed });
  await changed();
  const url = await api.listen();
  return {
    url,
    snapshotId: snapshot.id,
    requests,
    faults,
    addSnapshot: (wanted) => seedTalosSnapshot(world, wanted).id,
    setStock: (type, location, count) => void world.stock.set(`${type}@${location}`, count),
    inventory: () => inventory(world, machines),
    simnodeFor: (name) => machines.find(name),
    killNode: (name) => machines.crash(name),
    stop: async () => {
      await api.stop();
      world.actions.stop();
      await Promise.all([machines.stop(), balancers.stop()]);
      await rm(options.dir, { recursive: true, force: true });
    },
  };
}
