import { readFileSync } from "node:fs";

/** The text of a file. Bytes that are not UTF-8 are refused: replaced by U+FFFD they would silently be another text. */
export function readUtf8(file: string): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
}

/** Why reading a file failed, in a word or two. */
export function whyUnreadable(error: unknown): string {
  const code = (error as { code?: string } | undefined)?.code ?? "ENOENT";
  return reasons[code] ?? code;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  ENOTDIR: "no such file",
  EISDIR: "it is a folder",
  EACCES: "no permission",
  ELOOP: "its links go in a circle",
  ENAMETOOLONG: "no such file",
  ERR_INVALID_ARG_VALUE: "no file can have this name",
  ERR_ENCODING_INVALID_ENCODED_DATA: "it is not UTF-8 text",
};

/** What an error says, whatever was thrown. */
export function messageOf(error: unknown): string {
  const message = (error as { message?: unknown } | null | undefined)?.message;
  return typeof message === "string" ? message : String(error);
}
