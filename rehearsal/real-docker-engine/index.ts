import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { dockerClient, type DockerClient } from "../plugins/docker/client";
import { startProcess, type RunningProcess } from "../processes";
import { findProgram, lacksResourceCapability, realEngineRefusal, system } from "./host";
import { rememberNetwork } from "./host-network";
import { runtimeWrapper } from "./runtime-wrapper";
import { waitForTurn } from "./turn";

export { realEngineRefusal } from "./host";
export { buildNodeImage } from "./node-image";

export interface RealEngine {
  /** `unix://…`, for DOCKER_HOST. */
  readonly host: string;
  /** Ends dockerd and starts it on the same data: containers come back by their restart policy. */
  restart(): Promise<void>;
  /** Removes containers, networks and volumes, ends dockerd, and puts the machine's network as it was. */
  stop(): Promise<void>;
}

const START_MS = 180_000;
const STOP_MS = 60_000;
const POLL_MS = 200;
/** For the engine of another run on this machine to end. */
const TURN_MS = 20 * 60_000;

interface Daemon {
  readonly dir: string;
  readonly client: DockerClient;
  readonly host: string;
}

/** The runtime that containers get: runc itself, or the wrapper where a capability is missing. */
function daemonConfig(dir: string): string {
  const runc = findProgram("runc") ?? "runc";
  const wrapper = join(dir, "runc-reduced");
  const reduced = lacksResourceCapability();
  if (reduced) writeFileSync(wrapper, runtimeWrapper(runc), { mode: 0o755 });
  const runtimes = reduced ? { runtimes: { reduced: { path: wrapper } }, "default-runtime": "reduced" } : {};
  const file = join(dir, "daemon.json");
  writeFileSync(file, JSON.stringify({ ...runtimes, "shutdown-timeout": 30 }));
  return file;
}

const logTail = (dir: string): string =>
  readFileSync(join(dir, "dockerd.log"), "utf8").trimEnd().split("\n").slice(-5).join("\n");

async function startDaemon({ dir, client, host }: Daemon): Promise<RunningProcess> {
  const args = [
    "--config-file",
    daemonConfig(dir),
    "--data-root",
    join(dir, "data"),
    "--exec-root",
    join(dir, "exec"),
  ];
  const running = startProcess({
    command: findProgram("dockerd") ?? "dockerd",
    args: [...args, "--pidfile", join(dir, "docker.pid"), "-H", host],
    logFile: join(dir, "dockerd.log"),
    graceMs: STOP_MS,
  });
  const state = { ended: false };
  void running.exited.then(() => {
    state.ended = true;
  });
  const until = Date.now() + START_MS;
  while (
    !(await client.ping().then(
      () => true,
      () => false,
    ))
  ) {
    if (state.ended || Date.now() > until) {
      await running.stop();
      throw new Error(`dockerd did not come up; its last words:\n${logTail(dir)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return running;
}

interface Named {
  readonly Id: string;
  readonly Name: string;
}

/** Leaves no process, mount or bridge of a container behind when dockerd ends. */
async function sweep(client: DockerClient): Promise<void> {
  const containers = await client.call<Named[]>("/containers/json", { query: { all: "1" } });
  const removal = { method: "DELETE", query: { force: "1", v: "1" } };
  await Promise.all(containers.map(({ Id: id }) => client.call(`/containers/${id}`, removal)));
  const networks = await client.call<Named[]>("/networks", { query: { filters: '{"type":["custom"]}' } });
  await Promise.all(networks.map(({ Id: id }) => client.call(`/networks/${id}`, { method: "DELETE" })));
}

function unmountAll(dir: string): void {
  const points = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "")
    .filter((point) => point.startsWith(`${dir}/`));
  for (const point of points.reverse()) system("umount", ["-l", point], { mayFail: true });
}

/**
 * Starts a Docker engine of its own, with everything in `dir`, as root on Linux. Throws with the reason when it cannot
 * (see `realEngineRefusal`). Its default bridge, routing rules and forwarding are the machine's and are put back by stop.
 */
export async function startRealEngine({ dir }: { readonly dir: string }): Promise<RealEngine> {
  const refusal = realEngineRefusal();
  if (refusal !== undefined) throw new Error(`no Docker engine can be started here: ${refusal}`);
  mkdirSync(dir, { recursive: true, mode: 0o711 });
  const host = `unix://${join(dir, "d.sock")}`;
  const daemon: Daemon = { dir, host, client: dockerClient({ host }) };
  const leave = await waitForTurn(TURN_MS);
  const restoreNetwork = rememberNetwork();
  let running = await startDaemon(daemon).catch(async (error: unknown) => {
    await leave();
    throw error;
  });
  return {
    host,
    restart: async () => {
      await running.stop();
      running = await startDaemon(daemon);
    },
    stop: async () => {
      try {
        await sweep(daemon.client);
      } finally {
        await running.stop();
        restoreNetwork();
        unmountAll(dir);
        for (const name of [
          "data",
          "exec",
          "d.sock",
          "docker.pid",
          "daemon.json",
          "runc-reduced",
          "dockerd.log",
        ]) {
          if (existsSync(join(dir, name))) rmSync(join(dir, name), { recursive: true, force: true });
        }
        await leave();
      }
    },
  };
}
