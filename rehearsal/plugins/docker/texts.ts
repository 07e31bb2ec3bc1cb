import type { Props, Value } from "../framework/types";
import { list, record } from "../framework/values";

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const asText = (value: Value): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The list of strings under a key; empty when there is none. */
export const texts = (props: Props, key: string): string[] => list(props, key).map(asText);

/** The map of strings under a key; empty when there is none. */
export const textMap = (props: Props, key: string): Record<string, string> =>
  Object.fromEntries(Object.entries(record(props, key)).map(([name, value]) => [name, asText(value)]));
