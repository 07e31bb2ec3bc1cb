import type { z } from "zod";

import type { Fault } from "../base/faults";
import { didYouMean, nearest } from "../base/nearest";
import { notShown, show } from "../base/show";
import { isFaulty } from "./faulty";
import { encrypted, isMisspelt, namespace } from "./raw";
import { poolSchema, settings } from "./schema";
import type { PoolSettings, Settings } from "./schema";
import { knownKeysOf } from "./schema-parts";
import { parseWhatFits } from "./what-fits";
import type { Issue } from "./what-fits";

/** A pool that fits the schema, with its place in the file for messages. */
export interface PoolDraft extends PoolSettings {
  /** `workers[0]`. */
  readonly key: string;
}

/** What of the file fits the schema: rules work on this, so that one fault hides no other. */
export interface Draft extends Partial<Omit<Settings, "workers">> {
  readonly pools: readonly PoolDraft[];
  /** How many pools the file lists, those that do not fit included. */
  readonly poolCount: number;
  readonly faults: readonly Fault[];
  /** Keys the schema refused: a rule about what is absent asks isFaulty before it speaks. */
  readonly spoilt: readonly string[];
  /** Where the items of a list stood in the file, by the list's key; absent where none was refused. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

interface Origin {
  readonly key: string;
  readonly value: unknown;
}

/** Reads the raw keys of the namespace against the schema, key by key and pool by pool. */
export function readDraft(raw: Readonly<Record<string, unknown>>): Draft {
  const unknown = unknownKeys(raw);
  const results = Object.entries(settings).map(([key, schema]) => fitting(key, schema, own(raw, key)));
  const values = Object.fromEntries(results.map(({ key, value }) => [key, value])) as Partial<Settings>;
  const listed = values.workers ?? [];
  const pools = listed.map((value, index) => fitting(`workers[${index}]`, poolSchema, value));
  return {
    ...values,
    pools: pools.flatMap(({ key, value }) => (value === undefined ? [] : [{ ...value, key }])),
    poolCount: listed.length,
    faults: [
      ...unknown,
      ...[...results, ...pools].flatMap(({ faults }) => faults),
      ...passedOver("patches.nodes", valueAt(raw["patches"], ["nodes"])),
      ...listed.flatMap((pool, index) => passedOver(`workers[${index}].labels`, valueAt(pool, ["labels"]))),
    ],
    spoilt: [...results, ...pools].flatMap(({ spoilt }) => spoilt),
    places: new Map([...results, ...pools].flatMap(({ places }) => [...places])),
  };
}

/** Where names are free, the schema's library passes over one of them without a word. */
function passedOver(key: string, value: unknown): Fault[] {
  const name = "__proto__";
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return [];
  return [{ key: `${key}.${name}`, value: notShown, rule: "is no name", repair: "choose another one" }];
}

const own = (raw: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(raw, key) ? raw[key] : undefined;

/** What only Pulumi can decrypt is judged by nobody else. */
export function encryptedFault(key: string): Fault {
  const rule = "is encrypted, and only Pulumi can read it";
  return {
    key,
    value: encrypted,
    rule,
    repair: "set it without --secret (values inside patches may be secret)",
  };
}

function fitting<Schema extends z.ZodType>(key: string, schema: Schema, value: unknown) {
  if (value === encrypted) {
    const none: ReadonlyMap<string, readonly number[]> = new Map();
    return { key, value: undefined, faults: [encryptedFault(key)], spoilt: [key], places: none };
  }
  const { value: rest, issues, places } = parseWhatFits(schema, value);
  const spoilt = issues
    .filter(({ keys }) => keys === undefined)
    .map(({ path }) => path.reduce<string>(joinPath, key));
  const ofFile = new Map([...places].map(([list, kept]) => [`${key}.${list}`, kept]));
  return { key, value: rest, faults: faultsOf(issues, { key, value }), spoilt, places: ofFile };
}

function unknownKeys(raw: Readonly<Record<string, unknown>>): Fault[] {
  const known = Object.keys(settings);
  return Object.keys(raw)
    .filter((key) => !known.includes(key))
    .map((key) => (isMisspelt(key) ? misspelt(key) : unknownKey(key, key, known)));
}

function misspelt(key: string): Fault {
  const rule = `is not in the namespace ${namespace}`;
  const name = key.slice(key.indexOf(":") + 1);
  return { key, value: notShown, rule, repair: `write ${namespace}:${name}` };
}

function unknownKey(path: string, name: string, known: readonly string[]): Fault {
  return {
    key: path === "" ? '""' : path,
    value: notShown,
    rule: "is not a known key",
    repair: isPath(name, known)
      ? "write the last part under the first, or set it with `pulumi config set --path`"
      : nearest(name, known) === undefined
        ? didYouMean(name, known)
        : `${didYouMean(name, known)} Known here: ${known.join(", ")}`,
  };
}

/** `controlPlanes.count`, as `pulumi config set` without --path writes it. */
function isPath(name: string, known: readonly string[]): boolean {
  return known.includes(name.split(/[.[]/)[0] ?? "") && /[.[]/.test(name);
}

function faultsOf(issues: readonly Issue[], origin: Origin): Fault[] {
  return issues.flatMap((issue) => {
    const path = issue.path.reduce<string>(joinPath, origin.key);
    const known = knownKeysOf(issue.message);
    if (known !== undefined)
      return (issue.keys ?? []).map((name) => unknownKey(joinPath(path, name), name, known));
    const value = valueAt(origin.value, issue.path);
    if (value === encrypted) return issue === firstOf(issues, issue.path) ? [encryptedFault(path)] : [];
    const [rule = issue.message, repair = "correct it"] = issue.message.split(/; (.*)/s);
    return [{ key: path, value: show(value), rule: value === undefined ? "is required" : rule, repair }];
  });
}

/** A value may break several rules of its text; that it is encrypted is said once. */
const firstOf = (issues: readonly Issue[], path: readonly PropertyKey[]): Issue | undefined =>
  issues.find((other) => JSON.stringify(other.path) === JSON.stringify(path));

function joinPath(path: string, part: PropertyKey): string {
  return typeof part === "number" ? `${path}[${part}]` : `${path}.${String(part)}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (current, part) =>
      typeof current === "object" && current !== null
        ? (current as Record<PropertyKey, unknown>)[part]
        : undefined,
    value,
  );
}

/** The cluster's name: the key, or the stack's name. */
export function clusterNameOf(draft: Draft, stack: string): string | undefined {
  return isFaulty(draft, "clusterName") ? undefined : (draft.clusterName ?? stack);
}
