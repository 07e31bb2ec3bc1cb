import type { Fault } from "../base/faults";
import { mayBeSecret, notShown } from "../base/show";

/** A fault found while reading, with what the factory's own library says about it. */
export interface ReadFault extends Fault {
  /** Counted from 1; 0 when the whole text is meant. */
  readonly line: number;
  /** `field x not found in type schematic.Schematic`: the factory's words, without its `yaml: ` heading. */
  readonly library: string;
}

/** Collects everything said about one schematic. */
export interface Findings {
  /** What every factory refuses (or this reader, because no id can be promised). */
  readonly faults: ReadFault[];
  /** Unquoted dates where text is wanted: refused by dialect D4, kept by the others. */
  readonly dates: ReadFault[];
  /** What the factory drops without a word. */
  readonly notes: string[];
  /** Whether `overlay` has any key: with empty values the factory drops it without a word. */
  overlayGiven: boolean;
}

export function noFindings(): Findings {
  return { faults: [], dates: [], notes: [], overlayGiven: false };
}

/** A piece of input for use in a message: one line, at most 60 characters; not what may be a secret. */
export function excerpt(text: string): string {
  if (mayBeSecret(text)) return notShown;
  const line = JSON.stringify(text).slice(1, -1);
  if (line === "") return '""';
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}
