/** What the schema refused of a draft. Apart from draft.ts, which needs the platforms' schemas, so that their rules can ask. */
import type { Draft } from "./draft";

/** Whether the schema refused this key, one above it or one below; unknown keys spoil nothing. */
export function isFaulty(draft: Pick<Draft, "spoilt">, key: string): boolean {
  return draft.spoilt.some((other) => other === key || isAbove(other, key) || isAbove(key, other));
}

function isAbove(outer: string, inner: string): boolean {
  return inner.startsWith(outer) && /^[.[]/.test(inner.slice(outer.length));
}

/** Whether every node's name follows from the draft: no fault in a label or a taint changes that. */
export function nodesAreKnown(draft: Draft): boolean {
  const { controlPlanes, pools, poolCount, spoilt } = draft;
  const isWhole = controlPlanes !== undefined && pools.length === poolCount && !spoilt.includes("workers");
  return isWhole && !isFaulty(draft, "clusterName");
}

/** The number in the file of an item of a list from which refused items are taken out. */
export function placeOf({ places }: Pick<Draft, "places">, key: string, index: number): number {
  return places.get(key)?.[index] ?? index;
}
