import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseAllDocuments, visit } from "yaml";
import type { Document, Node, Scalar } from "yaml";

import { shapeBelow, shapeOfDocument } from "./talos-keys";
import type { Shape } from "./talos-keys";

/** A YAML text that cannot be read; `line` counts from 1. */
export class YamlError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.name = "YamlError";
    this.line = line;
  }
}

/**
 * The documents of a YAML text as JSON-ready values, read as Talos reads them: an octal `0644` is a number, and where
 * Talos wants text the characters stay as written (`1.10` is not 1.1). Throws YamlError.
 */
export function readDocuments(text: string): unknown[] {
  return parseDocuments(text).map((document) => {
    keepText(document);
    return plainValue(document);
  });
}

/** The first document as Pulumi reads a stack file: an octal `0644` is a number, and numbers stay numbers. Throws YamlError. */
export function readFirstDocument(text: string): unknown {
  const [document] = parseDocuments(text);
  if (document === undefined) return undefined;
  visit(document, {
    Scalar(_key, node) {
      if (node.type === "PLAIN") node.value = asTalosReads(node, undefined);
    },
  });
  return plainValue(document);
}

function parseDocuments(text: string): Document.Parsed[] {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { merge: true, lineCounter: lines });
  const documents = Array.isArray(parsed) ? parsed : [];
  for (const document of documents) {
    const [error] = document.errors;
    if (error !== undefined) throw new YamlError(firstLine(error.message), error.linePos?.[0].line ?? 1);
    visit(document, {
      Alias(_key, alias) {
        if (alias.resolve(document) !== undefined) return;
        throw new YamlError(`*${alias.source} has no anchor`, lines.linePos(alias.range?.[0] ?? 0).line);
      },
    });
  }
  return documents;
}

/** An alias that grows without end is found only here. */
function plainValue(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) as unknown;
  } catch (error) {
    throw new YamlError(firstLine(error instanceof Error ? error.message : "unreadable"), 1);
  }
}

function firstLine(message: string): string {
  return (message.split("\n")[0] ?? message).replace(/ at line \d+, column \d+:?$/, "");
}

function keepText(document: Document.Parsed): void {
  const contents: Node | null = document.contents;
  const kind = isMap(contents) ? contents.get("kind") : undefined;
  const root = shapeOfDocument(kind === undefined ? {} : { kind });
  visit(document, {
    Scalar(key, node, path) {
      if (key !== "key" && node.type === "PLAIN") node.value = asTalosReads(node, shapeAt(root, path));
    },
  });
}

function asTalosReads(node: Scalar, shape: Shape | undefined): unknown {
  const { source, value } = node;
  if (source === undefined || (typeof value !== "number" && typeof value !== "boolean")) return value;
  if (shape === "s") return source;
  return /^0[0-7]+$/.test(source) ? parseInt(source, 8) : value;
}

/** Follows the pairs and lists of a path; an anchor used elsewhere is judged by where it is defined. */
function shapeAt(root: Shape | undefined, path: readonly unknown[]): Shape | undefined {
  return path.reduce<Shape | undefined>((shape, step) => {
    if (isPair(step)) return isScalar(step.key) ? shapeBelow(shape, String(step.key.value)) : undefined;
    if (isSeq(step)) return shapeBelow(shape, 0);
    return isAlias(step) ? undefined : shape;
  }, root);
}

/** An object that came from the stack file, with numbers and flags turned into text where Talos wants text. */
export function textWhereTalosWantsIt(value: unknown, shape: Shape | undefined): unknown {
  if (Array.isArray(value))
    return value.map((item: unknown) => textWhereTalosWantsIt(item, shapeBelow(shape, 0)));
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value as Record<string, unknown>);
    return Object.fromEntries(
      entries.map(([key, item]) => [key, textWhereTalosWantsIt(item, shapeBelow(shape, key))]),
    );
  }
  return shape === "s" && (typeof value === "number" || typeof value === "boolean") ? String(value) : value;
}
