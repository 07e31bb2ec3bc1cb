import type { Draft } from "./draft";

/** Whether the schema refused this key, one above it or one below; unknown keys spoil nothing. */
export function isFaulty(draft: Pick<Draft, "spoilt">, key: string): boolean {
  return draft.spoilt.some((other) => other === key || isAbove(other, key) || isAbove(key, other));
}

function isAbove(outer: string, inner: string): boolean {
  return inner.startsWith(outer) && /^[.[]/.test(inner.slice(outer.length));
}
