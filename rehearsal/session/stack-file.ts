import { readFileSync, writeFileSync } from "node:fs";
import { parse, stringify } from "yaml";

type Values = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Objects key by key, everything else replaced. */
export function merge(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return over;
  const keys = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, key in over ? merge(base[key], over[key]) : base[key]]),
  );
}

/** Lays values over the `config` of a (copied) stack file. */
export function overrideStackFile(file: string, overrides: Values): void {
  const document = parse(readFileSync(file, "utf8")) as { config?: Values };
  const config = merge(document.config ?? {}, overrides);
  writeFileSync(file, stringify({ ...document, config }), { mode: 0o600 });
}
