import { readdirSync, readFileSync } from "node:fs";

const EVERY_MS = 15;

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
  const sample = (): void => {
    for (const pid of readdirSync("/proc")) if (/^\d+$/.test(pid)) seen.add(commandOf(pid));
  };
  const timer = setInterval(sample, EVERY_MS);
  return { seen, stop: () => clearInterval(timer) };
}
