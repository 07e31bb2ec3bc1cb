/** Values as messages show them: never a secret, never a character that a terminal would obey. */

export const notShown = "(value not shown)";

const secretWords = "(?:token|secret|passw|passphrase|credential|api_?key|private_?key)[^\\s=:]*";

/** A password before `@` (which stands in digests too), a query or fragment (join tokens), or a word that names a secret before `=`. */
const secretive = new RegExp(`://.*[@?#]|\\?\\S*=|[^\\s:/@]+:[^\\s/@]+@(?!sha\\d)|${secretWords}[=:]`, "is");

/** Whether a text that was written in a wrong place may hold a secret. */
export const mayBeSecret = (text: string): boolean => secretive.test(text);

const hidden = "(not shown)";

/**
 * A whole line without what an address may carry besides its host, and without what is assigned to a word that names a
 * secret: for lines made of texts that nobody judged one by one. Who logs in over SSH stays, a password of theirs does not.
 */
export function veiled(line: string): string {
  return line
    .replace(/(\bssh:\/\/[^\s/:@]*):\S*@/gi, `$1:${hidden}@`)
    .replace(/(?<!\bssh):\/\/[^\s"'`]*@/gi, `://${hidden}@`)
    .replace(/(:\/\/[^\s?"'`]*\?)[^\s"'`]+/g, `$1${hidden}`)
    .replace(/\?[^\s=?"'`]+=[^\s"'`]+/g, `?${hidden}`)
    .replace(/[^\s:/@"'`]+:[^\s/@"'`]+@(?!sha\d)/g, `${hidden}@`)
    .replace(assigned, `$1${hidden}`);
}

const assigned = new RegExp(`(${secretWords}=)[^\\s"'\`]+`, "gi");

/** Controls of both sets, line separators, and marks that turn the direction of the text round them. */
const controls = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** A text for a terminal: control characters become escapes such as \u001b. */
export function printable(text: string): string {
  return text.replace(controls, (character) => escape(character));
}

/** The same where lines stay lines. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** JSON for people and programs: what JSON itself leaves raw is escaped too. */
export function jsonText(value: unknown): string {
  return `${printableLines(JSON.stringify(value, null, 2))}\n`;
}

/** A value as a message shows it: scalars as they are, the rest by kind. */
export function show(value: unknown): string {
  if (value === undefined) return "(not set)";
  if (value === null) return "(empty)";
  if (Array.isArray(value)) return "(a list)";
  if (typeof value === "object") return "(a mapping)";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string") return `(a ${typeof value})`;
  if (/^\s*[[{]/.test(value)) return "(a text that is not JSON)";
  if (mayBeSecret(value)) return notShown;
  if (value === "") return '""';
  return printable((value.length > 160 ? `${value.slice(0, 157)}...` : value).replace(/\s+/g, " "));
}
