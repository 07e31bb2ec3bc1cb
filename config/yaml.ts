/** Patches as Talos reads them: what it takes as text stays the text that was written. */
import { isAlias, isMap, isPair, isSeq, visit } from "yaml";
import type { Document, Node, Scalar } from "yaml";

import { keyText, parseDocuments, plainNumber, plainValue } from "../base/yaml";
import { isText, shapeBelow, shapeOfDocument } from "./talos-keys";
import type { Shape } from "./talos-keys";

/**
 * The documents of a YAML text as JSON-ready values, read as Talos reads them: an octal `0644` is a number, and where
 * Talos wants text the characters stay as written (`1.10` is not 1.1). Throws YamlError.
 */
export function readDocuments(text: string): unknown[] {
  return parseDocuments(text).map((document) => {
    keepText(document);
    return plainValue(document, text);
  });
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
  return isText(shape) ? source : plainNumber(node);
}

/** Follows the pairs and lists of a path; an anchor used elsewhere is judged by where it is defined. */
function shapeAt(root: Shape | undefined, path: readonly unknown[]): Shape | undefined {
  return path.reduce<Shape | undefined>((shape, step) => {
    if (isPair(step)) {
      const key = keyText(step.key);
      return key === undefined ? undefined : shapeBelow(shape, key);
    }
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
  const isPlain = typeof value === "boolean" || (typeof value === "number" && isExact(value));
  return isText(shape) && isPlain ? String(value) : value;
}

/** A whole number beyond this has lost digits on the way; a rule says so where it is still a number. */
export const isExact = (value: number): boolean => !Number.isInteger(value) || Number.isSafeInteger(value);
