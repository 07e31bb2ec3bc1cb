import { distance } from "../base/nearest";
import { parseJson } from "../base/yaml";

/** Namespace of every key of this program in a stack file. */
export const namespace = "talos-fleet";

/** Stands for a secret where a stack file is read without Pulumi. */
export const encrypted = "(encrypted)";

/** Pulumi hands objects and lists over as JSON texts and everything else as text. */
export function parseValue(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** The keys of this program, without its namespace. Others belong to providers; a misspelt namespace stays, for a fault. */
export function ownKeys<Value>(keys: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(keys).flatMap(([key, value]) => {
      if (key.startsWith(`${namespace}:`)) return [[key.slice(namespace.length + 1), value]];
      return isMisspelt(key) ? [[key, value]] : [];
    }),
  );
}

/** `Talos-Fleet:x`, `talosfleet:x`, `talos-flet:x`. */
export function isMisspelt(key: string): boolean {
  const [given = "", name] = key.split(":");
  return name !== undefined && given !== namespace && distance(bare(given), bare(namespace)) <= 2;
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}
