import type { z } from "zod";

/** One complaint of zod, as far as this program looks at it. */
export interface Issue {
  readonly message: string;
  readonly path: readonly PropertyKey[];
  /** Names of unknown keys. */
  readonly keys?: readonly string[];
}

export interface Salvaged<Value> {
  /** What is left of the value when everything refused is taken out; undefined when the rest does not stand alone. */
  readonly value: Value | undefined;
  readonly issues: readonly Issue[];
}

/** Parses a value and, when parts of it are refused, once more without them, so that rules can still judge the rest. */
export function parseWhatFits<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Salvaged<z.output<Schema>> {
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data, issues: [] };
  const issues = result.error.issues as readonly Issue[];
  const rest = schema.safeParse(without(value, issues));
  return { value: rest.success ? rest.data : undefined, issues };
}

function without(value: unknown, issues: readonly Issue[]): unknown {
  const copy = structuredClone(value);
  for (const { path, keys } of issues) {
    if (keys === undefined) remove(copy, path);
    else keys.forEach((key) => remove(copy, [...path, key]));
  }
  return copy;
}

/** Takes out the innermost mapping entry that holds the path; taking an item out of a list would move the others. */
function remove(value: unknown, path: readonly PropertyKey[]): void {
  const last = path.findIndex((part) => typeof part === "number");
  const keys = last === -1 ? path : path.slice(0, last);
  const holder = keys
    .slice(0, -1)
    .reduce<unknown>((current, key) => (isObject(current) ? current[key] : undefined), value);
  const key = keys.at(-1);
  if (key !== undefined && isObject(holder)) Reflect.deleteProperty(holder, key);
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === "object" && value !== null;
}
