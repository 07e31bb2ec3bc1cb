import { readdirSync, readFileSync } from "node:fs";

const EVERY_MS = 15;
/** A process that is known may still become another command: all are read again every so many samples. */
const ALL_AGAIN = 10;

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
};

export interface Sampler {
  /** Every command line seen, of every process of this machine. */
  readonly seen: ReadonlySet<string>;
  stop(): void;
}

/** Reads the command line of every process, again and again, as `ps` would show it to anybody. */
export function sampleProcesses(): Sampler {
  const seen = new Set<string>();
  let known = new Set<string>();
  /** Seen once: between fork and exec a process shows its parent's command, so the second look counts. */
  const young = new Set<string>();
  let count = 0;
  const sample = (): void => {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    if (count++ % ALL_AGAIN === 0) known = new Set();
    for (const pid of pids) {
      if (known.has(pid)) continue;
      seen.add(commandOf(pid));
      if (young.delete(pid)) known.add(pid);
      else young.add(pid);
    }
  };
  const timer = setInterval(sample, EVERY_MS);
  return { seen, stop: () => clearInterval(timer) };
}
