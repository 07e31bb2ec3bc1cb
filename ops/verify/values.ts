/** Values that patches ask for, and how they are compared: what is or may be secret is never shown. Pure. */
import { isDeletion, isMappingValue, valueAt } from "../../base/paths";
import { encrypted } from "../../config/raw";
import { type Check, passIf, same } from "./check";

/** `secret`: it is encrypted in the stack file, so that only Pulumi knows it. */
export type Wanted =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "absent" }
  | { readonly kind: "secret" };

/** By key. */
export type Values = ReadonlyMap<string, Wanted>;

export const ABSENT = "absent";
const SECRET: Wanted = { kind: "secret" };

/** What a value of a patch asks for; `$patch: delete` takes it away. */
export function wanted(value: unknown): Wanted {
  if (isDeletion(value)) return { kind: "absent" };
  return holdsSecret(value) ? SECRET : { kind: "text", text: valueText(value) };
}

/** Whether something that is encrypted in the stack file stands in it. */
export function holdsSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsSecret);
  if (isMappingValue(value)) return Object.values(value).some(holdsSecret);
  return value === encrypted;
}

/** The keys of the mapping at a path; later documents win, as in the merge itself. */
export function mergedValues(documents: readonly unknown[], path: readonly string[]): Values {
  const values = new Map<string, Wanted>();
  for (const document of documents) {
    if (onTheWay(document, path).some(isDeletion)) values.clear();
    // What is encrypted here may say anything about each key before it.
    else if (secretAt(document, path)) for (const key of values.keys()) values.set(key, SECRET);
    else
      for (const [key, value] of entriesAt(document, path))
        values.set(key, isAppended(values.get(key), value) ? SECRET : wanted(value));
  }
  return values;
}

/** The merge appends lists: what comes after a secret does not hide it. */
const isAppended = (before: Wanted | undefined, value: unknown): boolean =>
  before?.kind === "secret" && Array.isArray(value);

function entriesAt(document: unknown, path: readonly string[]): [string, unknown][] {
  const found = valueAt(document, path);
  return isMappingValue(found) ? Object.entries(found) : [];
}

/** The values at a path and above it. */
const onTheWay = (document: unknown, path: readonly string[]): unknown[] =>
  path.map((_, index) => valueAt(document, path.slice(0, index + 1)));

/** Whether the value at a path, or one that holds it, is encrypted as a whole. */
export const secretAt = (document: unknown, path: readonly string[]): boolean =>
  onTheWay(document, path).includes(encrypted);

/** A config's value as people write it: arguments may be single values or lists. */
export function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}

const SECRET_KEY = /secret|token|passw|passphrase|credential|private|api-?key/i;
/** A password in an address, a PEM block. */
const SECRET_VALUE = /\/\/[^/\s@]*:[^/\s@]*@|-----BEGIN/;

const maySecret = (key: string, value: string | undefined): boolean =>
  SECRET_KEY.test(key) || (value !== undefined && SECRET_VALUE.test(value));

export interface Comparison {
  readonly what: string;
  readonly key: string;
  readonly wanted: Wanted;
  /** Undefined when it is not there. */
  readonly seen: string | undefined;
}

/** Shows the two values where neither can be secret. */
export function compared({ what, key, wanted: want, seen }: Comparison): Check {
  if (want.kind === "secret") return secretCheck(what, seen);
  const hidden = maySecret(key, seen) || (want.kind === "text" && maySecret(key, want.text));
  if (!hidden) return same(what, want.kind === "absent" ? ABSENT : want.text, seen ?? ABSENT);
  const good = seen === (want.kind === "absent" ? undefined : want.text);
  const found = good ? "the same (not shown)" : "another value (not shown)";
  return {
    what,
    expected: want.kind === "absent" ? ABSENT : "the stack file's value (not shown)",
    seen: seen === undefined ? ABSENT : found,
    result: passIf(good),
  };
}

export const secretCheck = (what: string, seen: string | undefined): Check => ({
  what,
  expected: "a secret value (not shown)",
  seen:
    seen === undefined
      ? ABSENT
      : "a value (not shown; it is encrypted in the stack file, and verify cannot decrypt it)",
  result: seen === undefined ? "FAIL" : "not tried",
});
