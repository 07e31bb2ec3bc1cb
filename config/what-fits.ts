import type { z } from "zod";

/** One complaint of zod, as far as this program looks at it. */
export interface Issue {
  readonly message: string;
  readonly path: readonly PropertyKey[];
  /** Names of unknown keys. */
  readonly keys?: readonly string[];
}

export interface Fitting<Value> {
  /** What is left of the value when everything refused is taken out; undefined when the rest does not stand alone. */
  readonly value: Value | undefined;
  readonly issues: readonly Issue[];
  /** Where the items of a shortened list stood in the file, by the list's path (`adminCidrs`). */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

/** Parses a value and, when parts of it are refused, once more without them, so that rules can still judge the rest. */
export function parseWhatFits<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Fitting<z.output<Schema>> {
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data, issues: [], places: new Map() };
  const issues = distinct(result.error.issues);
  const { copy, places } = without(value, issues);
  const rest = schema.safeParse(copy);
  return { value: rest.success ? rest.data : undefined, issues, places };
}

/** A number that is too large is also no safe whole number: one fault says it. */
function distinct(issues: readonly Issue[]): readonly Issue[] {
  return [...new Map(issues.map((issue) => [JSON.stringify([issue.path, issue.message]), issue])).values()];
}

interface Shortened {
  readonly copy: unknown;
  readonly places: ReadonlyMap<string, readonly number[]>;
}

function without(value: unknown, issues: readonly Issue[]): Shortened {
  const copy = structuredClone(value);
  const items = new Map<string, { readonly list: unknown[]; readonly refused: Set<number> }>();
  for (const { path, keys } of issues) {
    if (keys !== undefined) keys.forEach((key) => remove(copy, [...path, key]));
    const item = itemOf(copy, path);
    if (keys === undefined && item === undefined) remove(copy, path);
    if (keys !== undefined || item === undefined) continue;
    const found = items.get(item.name) ?? { list: item.list, refused: new Set() };
    found.refused.add(item.index);
    items.set(item.name, found);
  }
  return {
    copy,
    places: new Map([...items].map(([name, { list, refused }]) => [name, shorten(list, refused)])),
  };
}

/** Takes refused items out of a list, and tells where the others stood. */
function shorten(list: unknown[], refused: ReadonlySet<number>): readonly number[] {
  const kept = list.map((_, index) => index).filter((index) => !refused.has(index));
  list.splice(0, list.length, ...kept.map((index) => list[index]));
  return kept;
}

/** The outermost list on the way to a path: what is wrong inside an item takes that item out, and no other. */
function itemOf(value: unknown, path: readonly PropertyKey[]) {
  const last = path.findIndex((part) => typeof part === "number");
  const [list, index] = [at(value, path.slice(0, last)), path[last]];
  if (!Array.isArray(list) || typeof index !== "number") return undefined;
  return { name: path.slice(0, last).map(String).join("."), list: list as unknown[], index };
}

function remove(value: unknown, path: readonly PropertyKey[]): void {
  const holder = at(value, path.slice(0, -1));
  const key = path.at(-1);
  if (key !== undefined && isObject(holder)) Reflect.deleteProperty(holder, key);
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((current, key) => (isObject(current) ? current[key] : undefined), value);
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === "object" && value !== null;
}
