/** What the schema refused of a draft. Apart from draft.ts, which needs the platforms' schemas, so that their rules can ask. */
import type { Draft } from "./draft";

/** Whether the schema refused this key, one above it or one below; unknown keys spoil nothing. */
export function isFaulty(draft: Pick<Draft, "spoilt">, key: string): boolean {
  return draft.spoilt.some((other) => other === key || isAbove(other, key) || isAbove(key, other));
}

function isAbove(outer: string, inner: string): boolean {
  return inner.startsWith(outer) && /^[.[]/.test(inner.slice(outer.length));
}

/** The number in the file of an item of a list from which refused items are taken out. */
export function placeOf({ places }: Pick<Draft, "places">, key: string, index: number): number {
  return places.get(key)?.[index] ?? index;
}
