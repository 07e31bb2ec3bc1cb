import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

/** How a process ended: its exit code or the signal that killed it. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Takes stdout and stderr; its folder is made when missing. */
  readonly logFile: string;
  /** Time from the first signal to SIGKILL, in ms (default 2000). */
  readonly graceMs?: number;
}

export interface RunningProcess {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  /** Signals the process (default SIGTERM), kills it when it does not go, and waits for its end. Can be called again. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const living = new Set<number>();

const kill = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
};

// The last resort when the caller itself ends without stop(): no process may outlive its session.
process.once("exit", () => {
  for (const pid of living) kill(pid, "SIGKILL");
});

const settlesWithin = async (promise: Promise<unknown>, ms: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const settled = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return settled;
};

/** Starts a process whose output goes to a file; throws when the executable cannot be started. */
export function startProcess(options: ProcessOptions): RunningProcess {
  mkdirSync(dirname(options.logFile), { recursive: true });
  const log = openSync(options.logFile, "a", 0o600);
  const child = spawn(options.command, [...options.args], {
    env: { ...process.env, ...options.env },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const { pid } = child;
  if (pid === undefined) {
    child.once("error", () => undefined);
    throw new Error(`cannot start ${options.command}: not found or not executable`);
  }
  living.add(pid);
  let ended = false;
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once("exit", (code, signal) => {
      ended = true;
      living.delete(pid);
      resolve({ code, signal });
    });
  });
  const stop = async (signal: NodeJS.Signals = "SIGTERM"): Promise<void> => {
    if (!ended) child.kill(signal);
    if (!(await settlesWithin(exited, options.graceMs ?? 2000))) {
      child.kill("SIGKILL");
      await exited;
    }
  };
  return { pid, exited, stop };
}
