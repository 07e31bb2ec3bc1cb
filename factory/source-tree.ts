import type { PlainWord } from "./plain-word";

/** The input's first document without aliases, merges, tags and styles, as far as they matter. */
export type SourceNode = SourceScalar | SourceList | SourceMap;

export interface SourceScalar {
  readonly kind: "scalar";
  readonly line: number;
  /** The source text, which string fields keep whatever the word means. */
  readonly text: string;
  readonly word: PlainWord;
}

interface SourceList {
  readonly kind: "list";
  readonly line: number;
  readonly items: readonly SourceNode[];
}

export interface SourceEntry {
  readonly key: SourceNode;
  readonly value: SourceNode;
}

export interface SourceMap {
  readonly kind: "map";
  readonly line: number;
  readonly entries: readonly SourceEntry[];
}

/** `customization.meta[1]`; the root's children stand alone. */
export function childPath(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** The library's short tag of a node, as its messages show it. */
export function tagOf(node: SourceNode): string {
  if (node.kind === "list") return "!!seq";
  if (node.kind === "map") return "!!map";
  return node.word.kind === "string" ? "!!str" : `!!${node.word.kind}`;
}
