import { rmSync } from "node:fs";

import { killLeftProcesses } from "./leftovers";

const open = new Map<string, () => Promise<void>>();
let installed = false;

const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

let ending = false;

/** A second Ctrl-C must not end the process before it has cleaned up. */
async function closeAndRaise(signal: NodeJS.Signals): Promise<void> {
  if (ending) return;
  ending = true;
  process.stderr.write(`\n${signal}: cleaning up ...\n`);
  await Promise.allSettled([...open.values()].map(async (close) => close()));
  for (const name of SIGNALS) process.removeAllListeners(name);
  process.kill(process.pid, signal);
}

function removeAtExit(): void {
  for (const folder of open.keys()) {
    killLeftProcesses(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From now on the folder goes when this process ends, however it ends short of SIGKILL. */
export function closeOnEnd(folder: string, close: () => Promise<void>): void {
  open.set(folder, close);
  if (installed) return;
  installed = true;
  process.once("exit", removeAtExit);
  for (const signal of SIGNALS) process.on(signal, () => void closeAndRaise(signal));
}

/** The session has cleaned up by itself. */
export function forgetOnEnd(folder: string): void {
  open.delete(folder);
}
