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
    const index = path.at(-1);
    const list = typeof index === "number" ? at(copy, path.slice(0, -1)) : undefined;
    const name = path.slice(0, -1).map(String).join(".");
    if (keys !== undefined) keys.forEach((key) => remove(copy, [...path, key]));
    else if (typeof index === "number" && Array.isArray(list) && !isInList(path.slice(0, -1))) {
      const found = items.get(name) ?? { list, refused: new Set() };
      found.refused.add(index);
      items.set(name, found);
    } else remove(copy, path);
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

const isInList = (path: readonly PropertyKey[]): boolean => path.some((part) => typeof part === "number");

/** Takes out the innermost mapping entry that holds the path; what lies inside an item of a list takes the list with it. */
function remove(value: unknown, path: readonly PropertyKey[]): void {
  const last = path.findIndex((part) => typeof part === "number");
  const keys = last === -1 ? path : path.slice(0, last);
  const holder = at(value, keys.slice(0, -1));
  const key = keys.at(-1);
  if (key !== undefined && isObject(holder)) Reflect.deleteProperty(holder, key);
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((current, key) => (isObject(current) ? current[key] : undefined), value);
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === "object" && value !== null;
}
