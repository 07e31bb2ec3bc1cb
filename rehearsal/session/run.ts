import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

import type { RunOptions, RunResult } from "./types";

const DEFAULT_TIMEOUT_MS = 5 * 60_000;
const TIMED_OUT = 124;
const KILLED = 137;

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

const groups = new Set<number>();

const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    groups.delete(pid);
  }
};

process.once("exit", () => groups.forEach(killGroup));

function collect(stream: Readable, onLine: ((line: string) => void) | undefined): () => string {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  if (onLine !== undefined) createInterface({ input: stream }).on("line", onLine);
  return () => Buffer.concat(chunks).toString("utf8");
}

/** Runs a command in a process group of its own to its end. Never rejects for an exit code; kills the group at the time limit. */
export async function runCommand(command: Command, options: RunOptions = {}): Promise<RunResult> {
  const child = spawn(command.command, [...command.args], {
    cwd: command.cwd,
    env: { ...command.env, ...options.env },
    detached: true,
  });
  const { pid } = child;
  if (pid !== undefined) groups.add(pid);
  options.kill?.addEventListener("abort", () => pid !== undefined && killGroup(pid), { once: true });
  const stdout = collect(child.stdout, options.onLine);
  const stderr = collect(child.stderr, options.onLine);
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.stdin ?? "");
  const limit = new AbortController();
  const timer = setTimeout(() => {
    limit.abort();
    if (pid !== undefined) killGroup(pid);
  }, options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (exit) => resolve(exit ?? KILLED));
    });
    return { code: limit.signal.aborted ? TIMED_OUT : code, stdout: stdout(), stderr: stderr() };
  } finally {
    clearTimeout(timer);
    if (pid !== undefined) groups.delete(pid);
  }
}
