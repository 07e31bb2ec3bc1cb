/** Waits one after the other for what must come, tells where it is, and stops at the first that does not come. */
import { setTimeout as pause } from "node:timers/promises";

/** What one look has shown. By node (or by part, such as `CoreDNS`): only what is not as it should be. */
export interface Seen {
  readonly done: boolean;
  readonly pending: Readonly<Record<string, string>>;
  /** Why going on is in vain, by node; given by a look that knows a cause to be final. */
  readonly final?: Readonly<Record<string, string>>;
  /** To be told once where all is done. */
  readonly warning?: string;
}

export interface Wait {
  readonly name: string;
  readonly limitSeconds: number;
  look(): Promise<Seen>;
}

export interface WaitContext {
  print(line: string): void;
  /** Milliseconds of a clock that only goes forward. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** By node: why waiting for it is in vain; asked while something is pending. */
  inVain?(): Promise<Readonly<Record<string, string>>>;
}

export const realContext: WaitContext = {
  print: (line) => process.stdout.write(`${line}\n`),
  now: () => performance.now(),
  sleep: (milliseconds) => pause(milliseconds),
};

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;
/** Looks in a row that have to be in vain: an engine that restarts shows its containers stopped for a moment. */
const SURE_AFTER = 4;

/** What did not come in time: names the wait, each node behind, and what was last seen there. */
export class WaitError extends Error {
  readonly wait: string;
  readonly pending: Readonly<Record<string, string>>;

  constructor(wait: Wait, pending: Readonly<Record<string, string>>, reason?: string) {
    const seen = Object.entries(pending).map(([node, text]) => `  ${node}: last seen: ${text}`);
    super([`${wait.name}: ${reason ?? `not reached within ${wait.limitSeconds} s`}`, ...seen].join("\n"));
    this.name = "WaitError";
    this.wait = wait.name;
    this.pending = pending;
  }
}

/** @throws WaitError */
export async function walk(waits: readonly Wait[], context: WaitContext = realContext): Promise<void> {
  for (const wait of waits) await reach(wait, context);
}

/** Until one is reached. @throws WaitError */
export async function reach(wait: Wait, context: WaitContext = realContext): Promise<void> {
  const start = context.now();
  const seconds = () => (context.now() - start) / 1000;
  const tell = teller(wait, context);
  let losses = 0;
  let length = FIRST_PAUSE_MS;
  for (;;) {
    const seen = await wait.look();
    if (seen.done) {
      if (seen.warning !== undefined) context.print(`${wait.name}: warning: ${seen.warning}`);
      context.print(`${wait.name}: ok (${seconds().toFixed(1)} s)`);
      return;
    }
    if (seconds() >= wait.limitSeconds) throw new WaitError(wait, seen.pending);
    const lost = { ...seen.final, ...(await context.inVain?.()) };
    losses = Object.keys(lost).length > 0 ? losses + 1 : 0;
    if (losses >= SURE_AFTER) throw new WaitError(wait, lost, "given up, it cannot come");
    tell(seen.pending);
    await context.sleep(length);
    length = Math.min(length * 1.5, LONGEST_PAUSE_MS);
  }
}

/** Tells each kind of thing seen once: two errors that alternate are no news. */
function teller(wait: Wait, context: WaitContext): (pending: Seen["pending"]) => void {
  const told = new Set<string>();
  return (pending) => {
    const kind = kindOf(pending);
    if (!told.has(kind)) context.print(`${wait.name}: waiting for ${waitingFor(pending)}`);
    told.add(kind);
  };
}

/** Who waits for what, but for the numbers that change with every look: ports, process ids, times. */
const kindOf = (pending: Seen["pending"]): string =>
  Object.entries(pending)
    .map(([node, text]) => `${node} ${text.replaceAll(/\d{3,}|\d+(\.\d+)? ?(ms|m|s)\b/g, "#")}`)
    .join("\n");

const SHOWN = 3;

function waitingFor(pending: Readonly<Record<string, string>>): string {
  const entries = Object.entries(pending);
  const shown = entries.slice(0, SHOWN).map(([node, text]) => `${node} (${text.split("\n")[0] ?? ""})`);
  return entries.length > SHOWN ? `${shown.join(", ")} and ${entries.length - SHOWN} more` : shown.join(", ");
}

/** From what is pending: done when nothing is. */
export const seen = (pending: Seen["pending"], final?: Seen["final"]): Seen => ({
  done: Object.keys(pending).length === 0,
  pending,
  ...(final === undefined || Object.keys(final).length === 0 ? {} : { final }),
});
