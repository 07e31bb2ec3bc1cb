/** Walks a cluster's stages one after the other, tells where it is, and stops at the first that does not come. */
import { setTimeout as pause } from "node:timers/promises";

/** What one look at a stage has shown. */
export interface Sighting {
  readonly done: boolean;
  /** By node (or by part, such as `CoreDNS`): what was seen there. Only what is not as it should be. */
  readonly pending: Readonly<Record<string, string>>;
}

export interface Stage {
  readonly name: string;
  readonly limitSeconds: number;
  look(): Promise<Sighting>;
}

export interface Surroundings {
  print(line: string): void;
  /** Milliseconds of a clock that only goes forward. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** By node: why waiting for it is in vain; asked while a stage is pending. */
  hopeless?(): Promise<Readonly<Record<string, string>>>;
}

export const realSurroundings: Surroundings = {
  print: (line) => process.stdout.write(`${line}\n`),
  now: () => performance.now(),
  sleep: (milliseconds) => pause(milliseconds),
};

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;
/** Looks in a row that have to be hopeless: an engine that restarts shows its containers stopped for a moment. */
const SURE_AFTER = 4;

/** A stage that was not reached in time: names the stage, each node behind, and what was last seen there. */
export class StageError extends Error {
  readonly stage: string;
  readonly pending: Readonly<Record<string, string>>;

  constructor(stage: Stage, pending: Readonly<Record<string, string>>, reason?: string) {
    const seen = Object.entries(pending).map(([node, text]) => `  ${node}: last seen: ${text}`);
    super([`${stage.name}: ${reason ?? `not reached within ${stage.limitSeconds} s`}`, ...seen].join("\n"));
    this.name = "StageError";
    this.stage = stage.name;
    this.pending = pending;
  }
}

/** @throws StageError */
export async function walk(stages: readonly Stage[], around: Surroundings = realSurroundings): Promise<void> {
  for (const stage of stages) await reach(stage, around);
}

async function reach(stage: Stage, around: Surroundings): Promise<void> {
  const start = around.now();
  const seconds = () => (around.now() - start) / 1000;
  let told = "";
  let losses = 0;
  let wait = FIRST_PAUSE_MS;
  for (;;) {
    const sighting = await stage.look();
    if (sighting.done) {
      around.print(`${stage.name}: ok (${seconds().toFixed(1)} s)`);
      return;
    }
    if (seconds() >= stage.limitSeconds) throw new StageError(stage, sighting.pending);
    const lost = (await around.hopeless?.()) ?? {};
    losses = Object.keys(lost).length > 0 ? losses + 1 : 0;
    if (losses >= SURE_AFTER) throw new StageError(stage, lost, "given up, it cannot come");
    const telling = waitingFor(sighting.pending);
    if (telling !== told) around.print(`${stage.name}: waiting for ${telling}`);
    told = telling;
    await around.sleep(wait);
    wait = Math.min(wait * 1.5, LONGEST_PAUSE_MS);
  }
}

const SHOWN = 3;

function waitingFor(pending: Readonly<Record<string, string>>): string {
  const entries = Object.entries(pending);
  const shown = entries.slice(0, SHOWN).map(([node, text]) => `${node} (${text.split("\n")[0] ?? ""})`);
  return entries.length > SHOWN ? `${shown.join(", ")} and ${entries.length - SHOWN} more` : shown.join(", ");
}

/** A sighting from what is pending: done when nothing is. */
export const sighting = (pending: Readonly<Record<string, string>>): Sighting => ({
  done: Object.keys(pending).length === 0,
  pending,
});
