import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { containerRoutes } from "./containers";
import { noFaults, type EngineFaults } from "./faults";
import { addImage, imageRoutes } from "./images";
import { engineInfo, engineVersion, type InfoOverrides } from "./info";
import { route, type Route } from "./http";
import { start, stop, type Runner } from "./lifecycle";
import { networkRoutes } from "./networks";
import { startListener, type EngineRequest, type Listener } from "./server";
import { streamRoutes } from "./streams";
import { volumeRoutes } from "./volumes";
import { isRunning, newWorld, type World } from "./world";

export interface EngineOptions {
  /** Holds the socket, volumes, logs and routes; keep it short, a socket path has at most 107 bytes. */
  readonly dir: string;
  /** Path of the simnode binary; containers of Talos images run it. */
  readonly simnode: string;
  /** Merged into `GET /info`, for preflight tests. */
  readonly info?: InfoOverrides;
  /** Images that are there without a pull. */
  readonly images?: readonly string[];
  readonly faults?: EngineFaults;
}

export interface SimulatedEngine {
  readonly socket: string;
  /** `unix://` form of the socket. */
  readonly host: string;
  readonly faults: EngineFaults;
  /** Every request so far, in order, without the version prefix. */
  readonly requests: readonly EngineRequest[];
  /** The live state, for inspection. */
  readonly world: World;
  /** What a restart of dockerd does: everything stops, and comes back by its restart policy. */
  restartEngine(): Promise<void>;
  /** Ends every process and removes every file. */
  stop(): Promise<void>;
}

const ENGINE_STOP_GRACE_SECONDS = 5;

const systemRoutes = (world: World, info: InfoOverrides): Route[] => [
  route("GET", "/_ping", () => ({ status: 200, text: "OK" })),
  route("GET", "/version", () => ({ status: 200, json: engineVersion(info) })),
  route("GET", "/info", () => ({ status: 200, json: engineInfo(world, info) })),
];

async function stopAll(world: World, graceSeconds: number, byUser: boolean): Promise<void> {
  const all = [...world.containers.values()];
  await Promise.all(all.map((container) => stop(container, { graceSeconds, byUser })));
}

async function comeBack(runner: Runner): Promise<void> {
  for (const container of runner.world.containers.values()) {
    const policy = container.hostConfig.RestartPolicy?.Name ?? "";
    const was = container.state.startedAt !== "0001-01-01T00:00:00Z";
    const wanted =
      policy === "always" || (policy === "unless-stopped" && was && !container.state.manuallyStopped);
    if (wanted && !isRunning(container)) await start(runner, container);
  }
}

/** Starts a simulated Docker engine on `<dir>/docker.sock`. */
export async function startEngine(options: EngineOptions): Promise<SimulatedEngine> {
  const { dir, info = {}, faults = noFaults() } = options;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const socket = join(dir, "docker.sock");
  if (Buffer.byteLength(socket) > 107)
    throw new Error(`${socket}: a socket path has at most 107 bytes; choose a shorter folder`);
  const world = newWorld(dir);
  for (const reference of options.images ?? []) addImage(world, reference);
  const runner: Runner = { world, simnode: options.simnode, faults };
  const cpus = engineInfo(world, info)["NCPU"];
  const routes = [
    ...systemRoutes(world, info),
    ...imageRoutes(world),
    ...networkRoutes(world),
    ...volumeRoutes(world),
    ...containerRoutes(runner, typeof cpus === "number" ? cpus : 1),
    ...streamRoutes(world),
  ];
  const requests: EngineRequest[] = [];
  const listen = (): Promise<Listener> => startListener({ socket, routes, faults, requests });
  let listener = await listen();
  return {
    socket,
    host: `unix://${socket}`,
    faults,
    requests,
    world,
    restartEngine: async () => {
      await listener.close();
      await stopAll(world, ENGINE_STOP_GRACE_SECONDS, false);
      await comeBack(runner);
      listener = await listen();
    },
    stop: async () => {
      await listener.close();
      await stopAll(world, 0, true);
      world.containers.clear();
      for (const name of ["volumes", "containers", "routes", "knobs.json", "docker.sock"])
        rmSync(join(dir, name), { recursive: true, force: true });
    },
  };
}
