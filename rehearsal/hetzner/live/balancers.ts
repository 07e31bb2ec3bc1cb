import { type Backend, backends, type Health } from "../core/balancing";
import type { LoadBalancer, Service } from "../core/model";
import type { World } from "../core/world";
import { isHealthy } from "./health";
import { type Listener, listen } from "./listener";

interface Probe {
  health: Health;
  failures: number;
}

/** One service of one load balancer. */
interface Front {
  readonly balancer: number;
  readonly listenPort: number;
  private: Listener | undefined;
  public: Listener | undefined;
  timer: NodeJS.Timeout | undefined;
  turn: number;
  readonly probes: Map<string, Probe>;
}

/** The load balancers' listeners and health checks, kept in step with the world. */
export class Balancers {
  private readonly world: World;
  private readonly maxIntervalMs: number;
  private readonly fronts = new Map<string, Front>();
  private queue: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(world: World, options: { maxIntervalMs: number }) {
    this.world = world;
    this.maxIntervalMs = options.maxIntervalMs;
  }

  readonly health = (balancer: number, listenPort: number, backend: string): Health =>
    this.fronts.get(`${balancer}:${listenPort}`)?.probes.get(backend)?.health ?? "unknown";

  /** Opens and closes listeners as load balancers and services come and go. */
  sync(): Promise<void> {
    this.queue = this.queue.then(() => this.reconcile());
    return this.queue;
  }

  /** `PRIVATE:PORT` of each load balancer to its listener on this machine. */
  routes(): Map<string, string> {
    const routes = new Map<string, string>();
    for (const front of this.fronts.values()) {
      const balancer = this.world.loadBalancers.find(front.balancer);
      for (const { ip } of balancer?.privateNets ?? []) {
        if (front.private !== undefined) routes.set(`${ip}:${front.listenPort}`, front.private.address);
      }
    }
    return routes;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.queue;
    await Promise.all([...this.fronts.values()].map((front) => this.drop(front)));
  }

  private async reconcile(): Promise<void> {
    if (this.stopped) return;
    const wanted = new Map(
      this.world.loadBalancers
        .all()
        .flatMap((balancer) =>
          balancer.services.map((service) => [
            `${balancer.id}:${service.listen_port}`,
            { balancer, service },
          ]),
        ),
    );
    for (const [key, front] of this.fronts) {
      if (wanted.has(key)) continue;
      this.fronts.delete(key);
      await this.drop(front);
    }
    for (const [key, { balancer, service }] of wanted) await this.open(key, balancer, service);
  }

  private async open(key: string, balancer: LoadBalancer, service: Service): Promise<void> {
    let front = this.fronts.get(key);
    if (front === undefined) {
      const { id } = balancer;
      front = {
        balancer: id,
        listenPort: service.listen_port,
        private: undefined,
        public: undefined,
        timer: undefined,
        turn: 0,
        probes: new Map(),
      };
      this.fronts.set(key, front);
      this.check(front);
    }
    const { listenPort } = front;
    const next = this.pick(front);
    front.private = await keep(front.private, balancer.privateNets.length > 0, {
      host: "127.0.0.1",
      port: 0,
      next,
    });
    front.public = await keep(front.public, balancer.publicEnabled, {
      host: balancer.ipv4,
      port: listenPort,
      next,
    });
  }

  private state(front: Front): { service: Service; all: Backend[] } | undefined {
    const balancer = this.world.loadBalancers.find(front.balancer);
    const service = balancer?.services.find(({ listen_port }) => listen_port === front.listenPort);
    return balancer === undefined || service === undefined
      ? undefined
      : { service, all: backends(this.world, balancer) };
  }

  private pick(front: Front) {
    return (): { host: string; port: number } | undefined => {
      const state = this.state(front);
      const healthy = (state?.all ?? []).filter((entry) => front.probes.get(entry.key)?.health === "healthy");
      front.turn += 1;
      const host = healthy[front.turn % Math.max(1, healthy.length)]?.host;
      return host == null || state === undefined ? undefined : { host, port: state.service.destination_port };
    };
  }

  /** Probes every backend, then again after the service's interval, which a rehearsal shortens. */
  private check(front: Front): void {
    const state = this.state(front);
    if (state === undefined || this.stopped) return;
    const known = new Set(state.all.map(({ key }) => key));
    for (const key of front.probes.keys()) if (!known.has(key)) front.probes.delete(key);
    const probes = state.all.map((entry) => probe(front, entry, state.service));
    const interval = Math.min(state.service.health_check.interval * 1000, this.maxIntervalMs);
    void Promise.all(probes).then(() => {
      if (this.stopped || this.fronts.get(`${front.balancer}:${front.listenPort}`) !== front) return;
      front.timer = setTimeout(() => this.check(front), interval);
    });
  }

  private async drop(front: Front): Promise<void> {
    clearTimeout(front.timer);
    await Promise.all([front.private?.close(), front.public?.close()]);
  }
}

type ListenOptions = Parameters<typeof listen>[0];

async function keep(
  current: Listener | undefined,
  wanted: boolean,
  options: ListenOptions,
): Promise<Listener | undefined> {
  if (!wanted) {
    await current?.close();
    return undefined;
  }
  try {
    return current ?? (await listen(options));
  } catch (error) {
    // Tried again at the next change; until then connections are refused, as behind a broken balancer.
    process.emitWarning(`load balancer cannot listen on ${options.host}:${options.port}: ${String(error)}`);
    return undefined;
  }
}

/** A backend is healthy after one good probe and unhealthy after `retries` bad ones. */
async function probe(front: Front, entry: Backend, service: Service): Promise<void> {
  const isGood = entry.host !== null && (await isHealthy(entry.host, service.health_check));
  const known = front.probes.get(entry.key) ?? { health: "unknown", failures: 0 };
  const failures = isGood ? 0 : known.failures + 1;
  const isBad = failures >= Math.max(1, service.health_check.retries);
  front.probes.set(entry.key, { failures, health: isGood ? "healthy" : isBad ? "unhealthy" : known.health });
}
