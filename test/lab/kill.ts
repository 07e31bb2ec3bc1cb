/** SIGKILL in the middle of an `up`, as a closed laptop or the kernel's memory killer does it. */
import { setTimeout as sleep } from "node:timers/promises";

import type { RealLab } from "../../rehearsal/session/real-lab-stack";

export interface KillPoint {
  /** The run is killed at its n-th event: a request to the engine, or a line of progress. */
  readonly event: number;
  /** Plugins die with pulumi at once, or finish what they are at first, as real ones do that notice it late. */
  readonly plugins: "at once" | "late";
}

export interface KilledRun {
  readonly code: number;
  /** What happened last: `POST /v1.41/containers/create?name=lab-worker-1`. */
  readonly at: string;
  readonly events: number;
}

const LATE_MS = 1500;
/** ` +  docker:index:Network lab-network creating (0s)`: neither dots that tell that time passes, nor the outputs. */
const STEP = /^ *\+ /;
const READS = /^(GET|HEAD) /;

/** Counts what happens in an `up`; kills it at the point, if one is given. */
export async function watchedUp(lab: RealLab, stack: string, point?: KillPoint): Promise<KilledRun> {
  const kill = new AbortController();
  let events = 0;
  let at = "";
  const event = (what: string): void => {
    if (kill.signal.aborted) return;
    events += 1;
    if (events !== point?.event) return;
    at = what;
    kill.abort();
    if (point.plugins === "at once") void lab.plugins.kill();
  };
  lab.socket.onRequest = (line) => {
    if (!READS.test(line)) event(line);
  };
  const onLine = (line: string): void => {
    if (STEP.test(line)) event(line.trim());
  };
  const { code } = await lab.up(stack, { onLine, kill: kill.signal });
  lab.socket.onRequest = undefined;
  if (point !== undefined) {
    if (point.plugins === "late") await sleep(LATE_MS);
    await lab.plugins.kill();
    await lab.plugins.restart();
  }
  return { code, at, events };
}

/** Numbers from 0 to 1 that a seed gives again (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `count` points spread over a run of so many events: one in each part, and none in the very last. */
export function pointsOf(seed: number, count: number, events: number): KillPoint[] {
  const random = seeded(seed);
  const usable = Math.floor(events * 0.95);
  return Array.from({ length: count }, (_, part) => ({
    event: Math.max(1, Math.ceil(((part + random()) / count) * usable)),
    plugins: random() < 0.5 ? "at once" : "late",
  }));
}

/** The seed of this run: TEST_SEED, or a new one. It stands in the tests' names. */
export const seedOfRun = (): number =>
  Number(process.env["TEST_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
