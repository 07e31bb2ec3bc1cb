import { nearest } from "../base/nearest";
import { oldBoolean } from "./plain-word";
import { excerpt, type Findings } from "./read-fault";
import { childPath, type SourceNode, tagOf } from "./source-tree";

/** A node, where it stands, and where to report. */
export interface Field {
  readonly node: SourceNode;
  readonly path: string;
  readonly findings: Findings;
}

type Readers = Readonly<Record<string, (field: Field) => void>>;

/** Reads a map with known keys only; absent and null mean no key at all. `type` is the library's name for it. */
export function readMap(field: Field, type: string, readers: Readers): void {
  const { node, path, findings } = field;
  if (isNull(node)) return;
  if (node.kind !== "map") {
    refuseType(field, "a map", type);
    return;
  }
  for (const { key, value } of node.entries) {
    const name = key.kind === "scalar" ? key.text : "(a list or map)";
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (reader) reader({ node: value, path: childPath(path, name), findings });
    else refuseKey({ node: key, path, findings }, { name, type, known: Object.keys(readers) });
  }
}

interface UnknownKey {
  readonly name: string;
  readonly type: string;
  readonly known: readonly string[];
}

function refuseKey({ node, path, findings }: Field, { name, type, known }: UnknownKey): void {
  const near = nearest(name, known);
  findings.faults.push({
    key: childPath(path, name),
    value: "unknown key",
    rule: `known here: ${known.join(", ")}`,
    repair: near === undefined ? "remove it, or write one of these" : `did you mean ${near}?`,
    line: node.line,
    library: `field ${name} not found in type schematic.${type}`,
  });
}

/** A list of any items; null items are dropped, as the factory does. */
export function readList<Item>(field: Field, type: string, read: (field: Field) => Item): Item[] {
  const { node, path, findings } = field;
  if (isNull(node)) return [];
  if (node.kind !== "list") {
    refuseType(field, "a list", type);
    return [];
  }
  return node.items.flatMap((item, index) => {
    const itemPath = childPath(path, index);
    if (!isNull(item)) return [read({ node: item, path: itemPath, findings })];
    findings.notes.push(`${itemPath} is empty and counts for nothing: the factory drops it.`);
    return [];
  });
}

/** The source text of a scalar: `0x10`, `1.50` and `yes` stay what they are; null is "". */
export function readString(field: Field): string {
  const { node, path, findings } = field;
  if (node.kind !== "scalar") {
    refuseType(field, "text", "string");
    return "";
  }
  if (isNull(node)) return "";
  if (node.word.kind === "timestamp") {
    const rule = "a date without quotes is refused by factories from v1.5.0 on";
    const library = `cannot construct !!timestamp \`${node.text}\` into string`;
    const repair = `write "${node.text}" in double quotes`;
    findings.dates.push({ key: path, value: excerpt(node.text), rule, repair, line: node.line, library });
  }
  return node.text;
}

/** true and false, and the old words yes, no, on, off, y, n, also quoted. */
export function readBoolean(field: Field): boolean {
  const { node } = field;
  if (isNull(node)) return false;
  const word = node.kind === "scalar" ? node.word : undefined;
  const value =
    word?.kind === "bool"
      ? word.value
      : oldBoolean(word?.kind === "string" && node.kind === "scalar" ? node.text : "");
  if (value === undefined) refuseType(field, "true or false", "bool");
  return value ?? false;
}

/** A whole number from 0 to `limit`: decimal, 0x, 0o, leading 0, 0b, or a float without a fraction. */
export function readUnsigned(field: Field, limit: number, type: string): number {
  const { node } = field;
  if (isNull(node)) return 0;
  const value = node.kind === "scalar" ? wholeNumber(node) : undefined;
  if (value !== undefined && value >= 0 && value <= limit) return value;
  refuseType(field, `a whole number from 0 to ${limit}`, type);
  return 0;
}

function wholeNumber({ word, text }: Extract<SourceNode, { kind: "scalar" }>): number | undefined {
  if (word.kind === "int") return Number(word.value);
  const value = word.kind === "float" ? Number(text.replaceAll("_", "")) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}

export function isNull(node: SourceNode): boolean {
  return node.kind === "scalar" && node.word.kind === "null";
}

const shownKinds = { list: "(a list)", map: "(a map)" };

/** Reports that a node has the wrong type. */
export function refuseType({ node, path, findings }: Field, wanted: string, type: string): void {
  const scalar = node.kind === "scalar" ? ` \`${node.text}\`` : "";
  findings.faults.push({
    key: path,
    value: node.kind === "scalar" ? excerpt(node.text) : shownKinds[node.kind],
    rule: `this must be ${wanted}`,
    repair: `write ${wanted}`,
    line: node.line,
    library: `cannot construct ${tagOf(node)}${scalar} into ${type}`,
  });
}
