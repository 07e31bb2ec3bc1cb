import { jsonText, printable, veiled } from "./show";

/** One thing wrong with the configuration, as it is printed: `KEY: VALUE: rule; repair`. */
export interface Fault {
  /** The configuration key, `workers[0].name`; two keys when a rule lies between them. */
  readonly key: string;
  /** What was given, or `(not set)`; never a value that may be secret. */
  readonly value: string;
  readonly rule: string;
  readonly repair: string;
}

/** Something to know that stops nothing: `KEY: VALUE: text`. */
export interface Note {
  readonly key: string;
  readonly value: string;
  readonly note: string;
}

/** Thrown before the first resource, with every fault found. */
export class ConfigError extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super([header(faults.length), ...faults.map(formatFault)].join("\n"));
    this.name = "ConfigError";
    this.faults = faults;
  }
}

/** `KEY: VALUE: rule; repair` on one line. */
export function formatFault({ key, value, rule, repair }: Fault): string {
  return printable(veiled(`${cut(key)}: ${value}: ${rule}; ${repair}`));
}

/** Nobody reads a name of a hundred thousand characters to its end. */
const LONGEST_KEY = 300;
const cut = (key: string): string => (key.length > LONGEST_KEY ? `${key.slice(0, LONGEST_KEY)}...` : key);

/** `KEY: VALUE: text` on one line. */
export function formatNote({ key, value, note }: Note): string {
  return printable(veiled(`${key}: ${value}: ${note}`));
}

/** The faults of a ConfigError as JSON for `--json`; any other error is thrown on. */
export function jsonFaults(error: unknown): string {
  if (!(error instanceof ConfigError)) throw error;
  return jsonText({ faults: error.faults.map(shown) });
}

/** A fault or a note as a program gets it. */
export function shown<Told extends Fault | Note>(told: Told): Told {
  const entries = Object.entries(told) as [string, unknown][];
  return Object.fromEntries(
    entries.map(([name, part]) => [name, typeof part === "string" ? veiled(part) : part]),
  ) as unknown as Told;
}

function header(count: number): string {
  const faults = count === 1 ? "1 fault" : `${count} faults`;
  return `The configuration has ${faults}; nothing has been created:`;
}
