import { rmSync } from "node:fs";

import { hasLabels, parseContainerUpdate, parseFilters } from "./bodies";
import { createContainer } from "./create";
import { writeRoutes } from "./endpoints";
import { EngineError, isTrue, route, type Call, type Reply, type Route } from "./http";
import { inspectContainer, listContainer } from "./inspect";
import { signal, start, stop, type Runner } from "./lifecycle";
import { removeVolume } from "./volumes";
import { findContainer, isRunning, usersOf, type EngineContainer, type World } from "./world";

const DEFAULT_GRACE_SECONDS = 10;

function list(world: World, query: URLSearchParams): EngineContainer[] {
  const filters = parseFilters(query.get("filters"));
  const wanted = (key: string, test: (value: string) => boolean): boolean =>
    filters.get(key)?.some(test) ?? true;
  const all = isTrue(query.get("all")) || filters.has("status");
  return [...world.containers.values()]
    .filter((container) => all || isRunning(container))
    .filter(({ config }) => hasLabels(config.Labels ?? {}, filters.get("label")))
    .filter(({ name }) => wanted("name", (text) => new RegExp(text.replace(/^\^?\//, "^")).test(name)))
    .filter(({ id }) => wanted("id", (text) => id.startsWith(text)))
    .filter(({ state }) => wanted("status", (text) => state.status === text))
    .filter(({ volumes }) =>
      wanted("volume", (text) => [...volumes.values()].some(({ name }) => name === text)),
    )
    .filter(({ endpoints }) =>
      wanted("network", (text) =>
        [...endpoints.values()].some(({ network: { id, name } }) => name === text || id.startsWith(text)),
      ),
    );
}

const graceSeconds = (container: EngineContainer, text: string | null): number => {
  const seconds = text === null ? (container.config.StopTimeout ?? DEFAULT_GRACE_SECONDS) : Number(text);
  return seconds < 0 ? Number.MAX_SAFE_INTEGER / 1000 : seconds;
};

async function remove(world: World, container: EngineContainer, query: URLSearchParams): Promise<void> {
  if (isRunning(container) && !isTrue(query.get("force"))) {
    const text = `You cannot remove a running container ${container.id}. Stop the container before attempting removal or force remove`;
    throw new EngineError(409, text);
  }
  container.state.status = "removing";
  world.containers.delete(container.id);
  await stop(container, { graceSeconds: 0, byUser: true });
  rmSync(container.folder, { recursive: true, force: true });
  const networks = [...container.endpoints.values()].map(({ network }) => network);
  for (const network of networks) if (world.networks.has(network.id)) writeRoutes(world, network);
  if (!isTrue(query.get("v"))) return;
  for (const volume of container.volumes.values()) {
    if (volume.anonymous && usersOf(world, volume).length === 0) removeVolume(world, volume.name);
  }
}

function update(container: EngineContainer, body: unknown): Reply {
  const { RestartPolicy: policy, ...wanted } = parseContainerUpdate(body);
  const { hostConfig } = container;
  const memory = wanted.Memory ?? 0;
  const swap = wanted.MemorySwap ?? 0;
  if (memory > 0 && swap === 0 && memory > (hostConfig.MemorySwap ?? 0)) {
    throw new EngineError(
      409,
      `Cannot update container ${container.id}: Memory limit should be smaller than already set memoryswap limit, update the memoryswap at the same time`,
    );
  }
  const changed = Object.entries(wanted).filter(
    ([, value]) => value !== 0 && value !== "" && value !== undefined && value !== null,
  );
  Object.assign(hostConfig, Object.fromEntries(changed));
  if (policy?.Name !== undefined && policy.Name !== "") hostConfig.RestartPolicy = policy;
  return { status: 200, json: { Warnings: null } };
}

/** Answers when the container has stopped, or, for `removed`, is gone. */
async function wait(world: World, container: EngineContainer, { query, signal: gone }: Call): Promise<Reply> {
  const removed = query.get("condition") === "removed";
  while (!gone.aborted && (isRunning(container) || (removed && world.containers.has(container.id)))) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return { status: 200, json: { StatusCode: container.state.exitCode, Error: null } };
}

async function restart(runner: Runner, container: EngineContainer, text: string | null): Promise<Reply> {
  await stop(container, { graceSeconds: graceSeconds(container, text), byUser: true });
  await start(runner, container);
  return { status: 204 };
}

const done = (changed: boolean): Reply => ({ status: changed ? 204 : 304 });

export function containerRoutes(runner: Runner, cpus: number): Route[] {
  const { world } = runner;
  const one = ({ params }: Call): EngineContainer => findContainer(world, params["id"] ?? "");
  return [
    route("GET", "/containers/json", ({ query }) => ({
      status: 200,
      json: list(world, query).map(listContainer),
    })),
    route("POST", "/containers/create", ({ body, query }) => {
      const { id } = createContainer(world, body, { name: query.get("name"), cpus });
      return { status: 201, json: { Id: id, Warnings: [] } };
    }),
    route("GET", "/containers/:id/json", (call) => ({ status: 200, json: inspectContainer(one(call)) })),
    route("POST", "/containers/:id/start", async (call) => done(await start(runner, one(call)))),
    route("POST", "/containers/:id/stop", async (call) => {
      const container = one(call);
      return done(
        await stop(container, { graceSeconds: graceSeconds(container, call.query.get("t")), byUser: true }),
      );
    }),
    route("POST", "/containers/:id/kill", async (call) => {
      const name = (call.query.get("signal") ?? "KILL").replace(/^(SIG)?/, "SIG");
      await signal(one(call), name as NodeJS.Signals);
      return { status: 204 };
    }),
    route("POST", "/containers/:id/restart", (call) => restart(runner, one(call), call.query.get("t"))),
    route("POST", "/containers/:id/update", (call) => update(one(call), call.body)),
    route("POST", "/containers/:id/wait", (call) => wait(world, one(call), call)),
    route("DELETE", "/containers/:id", async (call) => {
      await remove(world, one(call), call.query);
      return { status: 204 };
    }),
  ];
}
