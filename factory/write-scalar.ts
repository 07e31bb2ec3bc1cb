import { isOldNumber, isOldWord, plainWord } from "./plain-word";
import type { Dialect } from "./types";

/** What the YAML library may write unescaped: printable, in the Basic Multilingual Plane, no byte-order mark. */
const unprintable = /[^\n\x20-\x7E\u00A0-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD]/u;
const indicatorFirst = /^(?:[#,[\]{}&*!|>'"%@`]|[?:-](?:[ \t]|$)|---|\.\.\.)/;

/** A string on one line: plain, single or double quoted. Also for map keys. */
export function inlineScalar(value: string, dialect: Dialect): string {
  if (readsAsOther(value, dialect)) return doubleQuoted(value);
  if (isOldWord(value) || (value === "<<" && dialect !== "D1")) {
    return dialect === "D4" ? `'${value}'` : `"${value}"`;
  }
  if (value.includes("\n") || unprintable.test(value)) return doubleQuoted(value);
  const plain = !indicatorFirst.test(value) && !/:(?:[ \t]|$)|[ \t]#|^ | $/.test(value);
  return plain ? value : `'${value.replaceAll("'", "''")}'`;
}

function readsAsOther(value: string, dialect: Dialect): boolean {
  return plainWord(value).kind !== "string" || (dialect === "D1" && isOldNumber(value));
}

/** Whether a string is written as a literal block. */
export function isLiteral(value: string, dialect: Dialect): boolean {
  if (!value.includes("\n") || unprintable.test(value.replaceAll("\t", ""))) return false;
  if (dialect !== "D1" && /^\p{White_Space}*$/u.test(value)) return false;
  return dialect === "D5" || !/ (?:\n|$)/.test(value);
}

/** Columns of a literal block's parent and of its text. */
export interface LiteralColumns {
  readonly parent: number;
  readonly text: number;
}

/** `|`, indentation and chomping indicators, and the indented lines; ends with a line break. */
export function literalBlock(value: string, columns: LiteralColumns, dialect: Dialect): string {
  const header = `|${indentHint(value, columns, dialect)}${chompHint(value)}\n`;
  // The oldest library takes a leading break for the end of the header and so loses it.
  const body = dialect === "D1" && value.startsWith("\n") ? value.slice(1) : value;
  const lines = body.replace(/[^\n]+/g, (line) => " ".repeat(columns.text) + line);
  return header + lines + (lines === "" || lines.endsWith("\n") ? "" : "\n");
}

function indentHint(value: string, columns: LiteralColumns, dialect: Dialect): string {
  if (dialect === "D5") return /^\n*[ \t]/.test(value) ? String(columns.text - columns.parent) : "";
  const hinted = dialect === "D1" || dialect === "D2" ? /^[ \n]/ : /^ /;
  return hinted.test(value) ? "4" : "";
}

function chompHint(value: string): string {
  if (!value.endsWith("\n")) return "-";
  return value === "\n" || value.endsWith("\n\n") ? "+" : "";
}

const shortEscapes: Readonly<Record<string, string>> = {
  "\0": "0",
  "\x07": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  "\x1B": "e",
  '"': '"',
  "\\": "\\",
  "\x85": "N",
  "\xA0": "_",
  "\u2028": "L",
  "\u2029": "P",
};

function doubleQuoted(value: string): string {
  const escapeAll = value.startsWith("\uFEFF");
  const chars = Array.from(value, (char) =>
    escapeAll || unprintable.test(char) || '\n"\\'.includes(char) ? escapeChar(char) : char,
  );
  return `"${chars.join("")}"`;
}

function escapeChar(char: string): string {
  const short = shortEscapes[char];
  if (short !== undefined) return `\\${short}`;
  const code = char.codePointAt(0) ?? 0;
  const [letter, width] = code <= 0xff ? ["x", 2] : code <= 0xffff ? ["u", 4] : ["U", 8];
  return `\\${letter}${code.toString(16).toUpperCase().padStart(width, "0")}`;
}
