/** Answers that were recorded elsewhere, so that a rehearsal can disagree with this checkout's `factory/`. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Dialect } from "../../factory/types";
import vectors from "./recorded.json";

export interface Recorded {
  /** Where the answer comes from. */
  readonly source: string;
  /** The canonical text, whose SHA-256 is the id; undefined: the factory's library refuses the input. */
  readonly text: string | undefined;
}

/** A line of what the Go library behind each dialect answered (factory/testdata/README.md). */
interface Golden {
  readonly in: string;
  readonly out: readonly { readonly dialects: readonly Dialect[]; readonly text: string }[];
  readonly refused: readonly Dialect[];
}

const GOLDEN = "factory/testdata/golden.jsonl";

const golden: ReadonlyMap<string, Golden> = new Map(
  readFileSync(join(__dirname, "../..", GOLDEN), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Golden)
    .map((line) => [line.in, line]),
);

/** The same for every spelling of the same values: a text that our writer spells in another way is still known. */
function meaningOf(text: string): string | undefined {
  try {
    return JSON.stringify(sorted(parse(text, { logLevel: "silent" })));
  } catch {
    return undefined;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

/** Ids that real factories gave, the same in all dialects. */
const known: ReadonlyMap<string | undefined, Recorded> = new Map(
  vectors.map(({ source, text }) => [meaningOf(text), { source, text }]),
);

/** What is on record for a posted text; undefined: nothing is. */
export function recordedAnswer(body: string, dialect: Dialect): Recorded | undefined {
  const line = golden.get(body);
  if (line === undefined) return known.get(meaningOf(body));
  if (line.refused.includes(dialect)) return { source: GOLDEN, text: undefined };
  const text = line.out.find(({ dialects }) => dialects.includes(dialect))?.text;
  // Only Enterprise factories take an owner; the library does not know that.
  return text === undefined || text.startsWith("owner:") ? undefined : { source: GOLDEN, text };
}

export const idOf = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");
