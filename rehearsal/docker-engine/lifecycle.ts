import { join } from "node:path";

import { knobsFile } from "../node/knobs";
import { startProcess, type ProcessExit } from "../processes";
import { allocate, mainEndpoint, release, writeRoutes } from "./endpoints";
import { startFault, type EngineFaults } from "./faults";
import { EngineError } from "./http";
import { assignListeners, publish } from "./ports";
import { isRunning, now, type EngineContainer, type World } from "./world";

export interface Runner {
  readonly world: World;
  /** Path of the simnode binary. */
  readonly simnode: string;
  readonly faults: EngineFaults;
}

const SIGNALS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGKILL: 9,
  SIGTERM: 15,
};
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 10_000;

const folderOf = (container: EngineContainer, target: string): string =>
  container.volumes.get(target)?.mountpoint ?? join(container.folder, target.replaceAll("/", "_"));

function nodeArguments({ world }: Runner, container: EngineContainer): string[] {
  const endpoint = mainEndpoint(container);
  const listener = (port: string): string => container.listeners.get(port) ?? "";
  const routes = endpoint === undefined ? [] : ["--routes", writeRoutes(world, endpoint.network)];
  return [
    ...[
      "run",
      "--name",
      container.config.Hostname ?? container.name,
      "--address",
      endpoint?.address ?? "127.0.0.1",
    ],
    ...["--talos", listener("50000"), "--kubernetes", listener("6443"), "--trustd", listener("50001")],
    ...["--state", folderOf(container, "/system/state"), "--data", folderOf(container, "/var")],
    ...["--talos-version", container.image.talosVersion ?? "", "--platform", "container", ...routes],
    ...["--knobs", knobsFile(world.dir)],
  ];
}

/** The command that stands for the container's process; containers of other images just wait. */
function command(runner: Runner, container: EngineContainer): { command: string; args: string[] } {
  if (runner.faults.exitAtOnce.has(container.name)) return { command: "/bin/sh", args: ["-c", "exit 1"] };
  if (container.image.talosVersion === undefined)
    return { command: process.execPath, args: ["-e", "setInterval(() => {}, 1 << 30)"] };
  return { command: runner.simnode, args: nodeArguments(runner, container) };
}

const exitCode = ({ code, signal }: ProcessExit): number => code ?? 128 + (SIGNALS[signal ?? ""] ?? 0);

const wantsRestart = ({ hostConfig, state }: EngineContainer): boolean => {
  const { Name: policy, MaximumRetryCount: most = 0 } = hostConfig.RestartPolicy ?? {};
  if (state.manuallyStopped) return false;
  if (policy === "always" || policy === "unless-stopped") return true;
  return policy === "on-failure" && state.exitCode !== 0 && (most === 0 || state.restartCount < most);
};

const isLive = ({ world }: Runner, container: EngineContainer): boolean =>
  world.containers.get(container.id) === container;

function onExit(runner: Runner, container: EngineContainer, exit: ProcessExit): void {
  const { state } = container;
  state.exitCode = exitCode(exit);
  state.finishedAt = now();
  state.status = "exited";
  container.process = undefined;
  container.published = [];
  release(container);
  if (!isLive(runner, container) || !wantsRestart(container)) return;
  const ranMs = Date.parse(state.finishedAt) - Date.parse(state.startedAt);
  const delay =
    ranMs > LONGEST_BACKOFF_MS
      ? FIRST_BACKOFF_MS
      : Math.min(FIRST_BACKOFF_MS * 2 ** state.restartCount, LONGEST_BACKOFF_MS);
  state.restartCount += 1;
  state.status = "restarting";
  container.restartTimer = setTimeout(() => {
    start(runner, container).catch((error: unknown) => {
      state.status = "exited";
      state.error = error instanceof Error ? error.message : String(error);
    });
  }, delay);
}

function checkEntrypoint(container: EngineContainer): void {
  const [file] = [...(container.config.Entrypoint ?? []), ...(container.config.Cmd ?? [])];
  if (file === undefined || file === "/sbin/init" || container.image.talosVersion === undefined) return;
  const reason = file.startsWith("/")
    ? `stat ${file}: no such file or directory`
    : "executable file not found in $PATH";
  const text = `failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "${file}": ${reason}: unknown`;
  throw new EngineError(400, text);
}

async function prepare(runner: Runner, container: EngineContainer): Promise<void> {
  startFault(runner.faults, container);
  allocate(runner.world, container);
  container.published = await publish(runner.world, container);
  checkEntrypoint(container);
  await assignListeners(container);
}

/** Starts the container's process; false when it already runs. A start that fails leaves the container as it was. */
export async function start(runner: Runner, container: EngineContainer): Promise<boolean> {
  if (isRunning(container)) return false;
  clearTimeout(container.restartTimer);
  try {
    await prepare(runner, container);
  } catch (error) {
    release(container);
    container.published = [];
    container.state.exitCode = error instanceof EngineError && error.status === 400 ? 127 : 128;
    container.state.error = error instanceof Error ? error.message : String(error);
    throw error;
  }
  const running = startProcess({
    ...command(runner, container),
    logFile: join(container.folder, "console.log"),
  });
  container.process = running;
  Object.assign(container.state, {
    status: "running",
    startedAt: now(),
    exitCode: 0,
    error: "",
    manuallyStopped: false,
  });
  container.ended = running.exited.then((exit) => onExit(runner, container, exit));
  return true;
}

async function endsWithin(container: EngineContainer, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const ended = await Promise.race([container.ended.then(() => true), late]);
  clearTimeout(timer);
  return ended;
}

/** Sends the signal, and waits for the end after SIGKILL; a container that the user signals is not restarted by its policy. */
export async function signal(container: EngineContainer, name: NodeJS.Signals): Promise<void> {
  if (container.process === undefined) {
    throw new EngineError(
      409,
      `Cannot kill container: ${container.name}: Container ${container.id} is not running`,
    );
  }
  container.state.manuallyStopped = true;
  process.kill(container.process.pid, name);
  if (name === "SIGKILL") await container.ended;
}

export interface StopOptions {
  /** Seconds until SIGKILL. */
  readonly graceSeconds: number;
  /** False when the engine itself goes down: the restart policy then brings the container back. */
  readonly byUser: boolean;
}

/** SIGTERM, then SIGKILL after the grace period; false when the container does not run. */
export async function stop(
  container: EngineContainer,
  { graceSeconds, byUser }: StopOptions,
): Promise<boolean> {
  clearTimeout(container.restartTimer);
  container.state.manuallyStopped ||= byUser;
  if (container.state.status === "restarting") container.state.status = "exited";
  const { process: running } = container;
  if (running === undefined) return false;
  container.state.manuallyStopped = true;
  if (graceSeconds > 0) process.kill(running.pid, "SIGTERM");
  if (graceSeconds <= 0 || !(await endsWithin(container, graceSeconds * 1000))) await running.stop("SIGKILL");
  await container.ended;
  container.state.manuallyStopped = byUser;
  return true;
}
