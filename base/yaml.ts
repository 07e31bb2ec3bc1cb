/** YAML as plain values, with the line of whatever cannot be read. */
import { isCollection, isMap, isNode, isScalar, LineCounter, parseAllDocuments, visit } from "yaml";
import type { Alias, Document, Node, Scalar, YAMLMap } from "yaml";

/** A YAML text that cannot be read; `line` counts from 1. */
export class YamlError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.name = "YamlError";
    this.line = line;
  }
}

/** The first document as Pulumi reads a stack file: an octal `0644` is a number, and numbers stay numbers. Throws YamlError. */
export function readFirstDocument(text: string): unknown {
  const [document] = parseDocuments(text);
  if (document === undefined) return undefined;
  visit(document, {
    Scalar(_key, node) {
      if (node.type === "PLAIN") node.value = plainNumber(node);
    },
  });
  return plainValue(document, text);
}

/** A plain scalar with octal `0644` read, and a whole number that JavaScript cannot hold left as its digits. */
export function plainNumber({ source, value }: Scalar): unknown {
  if (source === undefined || typeof value !== "number") return value;
  if (/^0[0-7]+$/.test(source)) return parseInt(source, 8);
  return /^[-+]?\d+$/.test(source) && !Number.isSafeInteger(value) ? source : value;
}

/** JSON with the same care: `18446744073692774399` stays those digits, as text. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  if (isDeep(text)) throw new SyntaxError(tooDeep);
  const kept = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
  return JSON.parse(kept) as unknown;
}

/** What is missing at the end is told by the library of the line after it. */
export const lineWithin = (text: string, line: number): number =>
  Math.min(line, text.trimEnd().split("\n").length);

const DEEPEST = 200;
const tooDeep = "is nested too deeply";

/** Brackets in texts do not count; whoever walks the value would run out of stack. */
function isDeep(json: string): boolean {
  let depth = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}

/** Every document, with anchors that exist and keys that are texts. Throws YamlError. */
export function parseDocuments(text: string): Document.Parsed[] {
  const lines = new LineCounter();
  // The library compares every key with every other; `refuse` asks a set.
  const parsed = parseAllDocuments(text, { merge: true, lineCounter: lines, uniqueKeys: false });
  const documents = Array.isArray(parsed) ? parsed : [];
  for (const document of documents) {
    const error = [
      ...document.errors,
      ...document.warnings.filter(({ code }) => code === "TAG_RESOLVE_FAILED"),
    ][0];
    if (error !== undefined)
      throw new YamlError(firstLine(error.message), lineWithin(text, error.linePos?.[0].line ?? 1));
    refuse(document, lines);
  }
  return documents;
}

/** Those of JSON's values; others would become dates, bytes and sets, which no key takes. */
const plainTags = /^(!|tag:yaml\.org,2002:(str|int|float|bool|null|map|seq))$/;

/** What the library reads and nobody can use. One walk: asking each alias for its anchor would be quadratic. */
function refuse(document: Document.Parsed, lines: LineCounter): void {
  const anchors = new Map<string, Node>();
  const at = (node: Node) => lines.linePos(node.range?.[0] ?? 0).line;
  visit(document, {
    Node(key, node, path) {
      if (path.length > DEEPEST && path.filter(isCollection).length > DEEPEST)
        throw new YamlError(tooDeep, at(node));
      if (node.tag !== undefined && !plainTags.test(node.tag))
        throw new YamlError(`the tag ${node.tag} means nothing here`, at(node));
      if (key === "key" && isCollection(node)) throw new YamlError("a key must be a text", at(node));
      const twice = isMap(node) ? secondOfOneName(node) : undefined;
      if (twice !== undefined) throw new YamlError("Map keys must be unique", at(twice));
      if ("anchor" in node) anchors.set(node.anchor, node);
    },
    Alias(_key, alias: Alias, path) {
      const target = anchors.get(alias.source);
      if (target === undefined) throw new YamlError(`*${alias.source} has no anchor`, at(alias));
      if (path.some((step) => isNode(step) && step === target))
        throw new YamlError(`*${alias.source} stands inside what it names`, at(alias));
    },
  });
}

/** By its text: `1` and `"1"` are one key of the plain value. */
function secondOfOneName(map: YAMLMap): Scalar | undefined {
  const names = new Set<string>();
  for (const { key } of map.items) {
    // A merge (`<<`) may come again, and is no text.
    if (!isScalar(key)) continue;
    const name = textOf(key.value);
    if (name === undefined) continue;
    if (names.has(name)) return key;
    names.add(name);
  }
  return undefined;
}

function textOf(value: unknown): string | undefined {
  if (value === null) return "";
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/** An alias that grows without end is found only here: the last that was read made it too much. */
export function plainValue(document: Document.Parsed, text: string): unknown {
  let last: Alias | undefined;
  visit(document, {
    Alias(_key, alias) {
      const read = alias.toJSON.bind(alias);
      alias.toJSON = (...given) => {
        last = alias;
        return read(...given);
      };
    },
  });
  try {
    return document.toJS({ maxAliasCount: 100 }) as unknown;
  } catch (error) {
    const line = text.slice(0, last?.range?.[0] ?? 0).split("\n").length;
    throw new YamlError(firstLine(error instanceof Error ? error.message : "unreadable"), line);
  }
}

function firstLine(message: string): string {
  if (message.startsWith("Maximum call stack")) return tooDeep;
  return (message.split("\n")[0] ?? message).replace(/ at line \d+, column \d+:?$/, "");
}

/** The text of a key, as a mapping of plain values has it. */
export const keyText = (key: unknown): string | undefined => (isScalar(key) ? String(key.value) : undefined);
