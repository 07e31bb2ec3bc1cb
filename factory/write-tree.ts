import type { Dialect } from "./types";
import { inlineScalar, isLiteral, literalBlock } from "./write-scalar";

/** A YAML tree whose maps are written in the order of their entries. */
export type Tree = string | number | boolean | null | readonly Tree[] | ReadonlyMap<string, Tree>;

/** Block style, indent 4, no folding: what the YAML library writes for the tree; ends with a line break. */
export function writeTree(root: ReadonlyMap<string, Tree>, dialect: Dialect): string {
  return block(root, 0, dialect);
}

function block(tree: readonly Tree[] | ReadonlyMap<string, Tree>, indent: number, dialect: Dialect): string {
  const pad = " ".repeat(indent);
  if (isList(tree)) {
    return tree.map((item) => `${pad}-${listItem(item, indent, dialect)}`).join("");
  }
  const entries = Array.from(tree, ([key, value]) => {
    return `${pad}${inlineScalar(key, dialect)}:${mapValue(value, indent, dialect)}`;
  });
  return entries.join("");
}

function listItem(item: Tree, indent: number, dialect: Dialect): string {
  const columns = { parent: indent, text: indent + 2 };
  const short = shortForm(item, columns, dialect);
  if (short !== undefined) return ` ${short}`;
  return ` ${block(item as readonly Tree[], columns.text, dialect).slice(columns.text)}`;
}

function mapValue(value: Tree, indent: number, dialect: Dialect): string {
  const columns = { parent: indent, text: (Math.floor(indent / 4) + 1) * 4 };
  const short = shortForm(value, columns, dialect);
  return short === undefined ? `\n${block(value as readonly Tree[], columns.text, dialect)}` : ` ${short}`;
}

/** A scalar or an empty collection with its line break; undefined for what needs lines of its own. */
function shortForm(
  tree: Tree,
  columns: { parent: number; text: number },
  dialect: Dialect,
): string | undefined {
  if (typeof tree === "string") {
    return isLiteral(tree, dialect)
      ? literalBlock(tree, columns, dialect)
      : `${inlineScalar(tree, dialect)}\n`;
  }
  if (tree === null || typeof tree !== "object") return `${String(tree)}\n`;
  if (isList(tree)) return tree.length === 0 ? "[]\n" : undefined;
  return tree.size === 0 ? "{}\n" : undefined;
}

function isList(tree: readonly Tree[] | ReadonlyMap<string, Tree>): tree is readonly Tree[] {
  return Array.isArray(tree);
}
