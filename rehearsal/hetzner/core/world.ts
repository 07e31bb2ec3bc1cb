import { PublicPool } from "./addresses";
import type { Action, Actions, ActionStart } from "./actions";
import type { Health } from "./balancing";
import { type Location, locations, type ServerType, serverTypes } from "./catalogue";
import { deleteProtected, invalid, limitExceeded, locked, nameTaken, notFound } from "./errors";
import { checkLabels } from "./labels";
import type {
  Disk,
  Firewall,
  Image,
  Labels,
  LoadBalancer,
  Lockable,
  Network,
  PlacementGroup,
  PrimaryIp,
  Resource,
  Server,
  SshKey,
  Volume,
} from "./model";

/** Resources of one kind, by id. */
class Table<T extends Resource> {
  readonly kind: string;
  private readonly rows = new Map<number, T>();

  constructor(kind: string) {
    this.kind = kind;
  }

  all(): T[] {
    return [...this.rows.values()];
  }

  find(id: number | null): T | undefined {
    return id === null ? undefined : this.rows.get(id);
  }

  /** Throws `not_found`. */
  get(id: number): T {
    const row = this.rows.get(id);
    if (row === undefined) throw notFound(this.kind, id);
    return row;
  }

  byReference(reference: number | string): T | undefined {
    const id = Number(reference);
    return Number.isInteger(id) ? this.rows.get(id) : this.all().find((row) => row.name === reference);
  }

  add(row: T): T {
    this.rows.set(row.id, row);
    return row;
  }

  remove(id: number): void {
    this.rows.delete(id);
  }

  /** Throws `uniqueness_error` when another row has the name. */
  requireFree(name: string, own?: number): void {
    if (this.all().some((row) => row.name === name && row.id !== own)) throw nameTaken(this.kind);
  }

  /** A row that may be deleted; throws `protected`. */
  unprotected(id: number): T {
    const row = this.get(id);
    if (row.protection.delete) throw deleteProtected(this.kind);
    return row;
  }
}

/** How many of each an account may have. */
export interface Limits {
  readonly servers: number;
  readonly primaryIps: number;
  readonly loadBalancers: number;
  readonly networks: number;
  readonly firewalls: number;
  readonly placementGroups: number;
}

const defaultLimits: Limits = {
  servers: 100,
  primaryIps: 200,
  loadBalancers: 20,
  networks: 50,
  firewalls: 50,
  placementGroups: 50,
};

/** What a server's disk does when it boots; implemented by the simulated nodes. */
export interface Machines {
  /** Powers a server on with what is on its disk; resolves when its process runs. */
  boot(server: Server): Promise<void>;
  /** Powers it off. `kill` pulls the plug. */
  halt(server: Server, how: "ask" | "kill"): Promise<void>;
  /** Powers it off and erases its disk. */
  erase(server: Server): Promise<void>;
}

/** The whole simulated account. */
export class World {
  readonly servers = new Table<Server>("server");
  readonly networks = new Table<Network>("network");
  readonly firewalls = new Table<Firewall>("firewall");
  readonly placementGroups = new Table<PlacementGroup>("placement group");
  readonly loadBalancers = new Table<LoadBalancer>("load balancer");
  readonly images = new Table<Image>("image");
  readonly primaryIps = new Table<PrimaryIp>("primary IP");
  readonly sshKeys = new Table<SshKey>("SSH key");
  readonly volumes = new Table<Volume>("volume");
  readonly pool: PublicPool;
  readonly limits: Limits;
  /** `TYPE@LOCATION`: how many may still be ordered. */
  readonly stock = new Map<string, number>();
  actions!: Actions;
  machines!: Machines;
  /** Health of a load balancer's backend, as last checked. */
  health: (balancer: number, listenPort: number, backend: string) => Health = () => "unknown";
  private lastId = 100000;
  private lastNetwork6 = 0;

  constructor(options: { publicNetwork: string; limits?: Partial<Limits> }) {
    this.pool = new PublicPool(options.publicNetwork);
    this.limits = { ...defaultLimits, ...options.limits };
  }

  readonly nextId = (): number => {
    this.lastId += 1;
    return this.lastId;
  };

  /** What every new resource has. */
  fresh(name: string, labels: Labels | null | undefined) {
    checkLabels(labels ?? {});
    return {
      id: this.nextId(),
      name,
      labels: { ...labels },
      created: new Date().toISOString(),
      protection: { delete: false },
    };
  }

  publicIpv4(): string {
    const ip = this.pool.take();
    if (ip === undefined) throw limitExceeded("Primary IP");
    return ip;
  }

  /** `2001:db8:N` of a new IPv6 /64. */
  publicIpv6Prefix(): string {
    this.lastNetwork6 += 1;
    return `2001:db8:${this.lastNetwork6.toString(16)}`;
  }

  location(name: string): Location {
    const found = locations.find((entry) => entry.name === name || String(entry.id) === name);
    if (found === undefined) throw invalid("location", `location ${name} not found`);
    return found;
  }

  serverType(reference: number | string): ServerType {
    const found = serverTypes.find(
      (type) => type.name === reference || String(type.id) === String(reference),
    );
    if (found === undefined) throw invalid("server_type", `server type ${reference} not found`);
    return found;
  }

  /** How many servers of a type a location still has. */
  inStock(type: ServerType, location: string): number {
    if (!type.locations.includes(location)) return 0;
    return this.stock.get(`${type.name}@${location}`) ?? (type.inStock ? Infinity : 0);
  }

  takeFromStock(type: ServerType, location: string): void {
    const left = this.stock.get(`${type.name}@${location}`);
    if (left !== undefined) this.stock.set(`${type.name}@${location}`, left - 1);
  }

  /** Starts an action on one server, which it locks. */
  serverAction(
    server: Server,
    command: string,
    rest: Omit<ActionStart, "command" | "resources"> = {},
  ): Action {
    return this.actions.start({
      locks: [server],
      ...rest,
      command,
      resources: [{ id: server.id, type: "server" }],
    });
  }

  unlockedServer(id: number): Server {
    const server = this.servers.get(id);
    requireUnlocked(server, "server");
    return server;
  }
}

export const requireUnlocked = (resource: Lockable, kind: string): void => {
  if (resource.lockedBy !== null) throw locked(kind);
};

/** The Talos that a snapshot's labels describe; undefined when they do not say `os=talos`. */
export function diskFromLabels(imageLabels: Labels, known: readonly Disk[]): Disk | undefined {
  if (imageLabels["os"] !== "talos") return undefined;
  const short = imageLabels["schematic"] ?? "";
  const full = known.find((disk) => short !== "" && disk.schematic.startsWith(short));
  const version = imageLabels["talos-version"] ?? imageLabels["version"] ?? known[0]?.version ?? "";
  return { kind: "talos", version, schematic: full?.schematic ?? short };
}
