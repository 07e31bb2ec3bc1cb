import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { Log } from "./types";

const POLL_MS = 500;

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The lock file's owner, or undefined when it has gone or its owner no longer lives. */
function holder(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    return alive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

/** Saves double work only: two that slip in together are both right, since folders appear by rename. */
export async function withLock(file: string, log: Log, work: () => Promise<void>): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  let told = false;
  while (!take(file)) {
    const pid = holder(file);
    if (pid === undefined) {
      rmSync(file, { force: true });
      continue;
    }
    if (!told) log(`another process (${pid}) is building this; waiting for it`);
    told = true;
    await sleep(POLL_MS);
  }
  try {
    await work();
  } finally {
    rmSync(file, { force: true });
  }
}
