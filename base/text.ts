import { readFileSync, type Stats, statSync } from "node:fs";

/** The text of a file. Bytes that are not UTF-8 are refused: replaced by U+FFFD they would silently be another text. */
export function readUtf8(file: string): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
}

/** What a path leads to that is neither a file nor a folder: reading it may never end. */
export class NoRegularFile extends Error {
  readonly what: string;

  constructor(what: string) {
    super(`is ${what}`);
    this.what = what;
    this.name = "NoRegularFile";
  }
}

/** The text of a file, or of the file that a link leads to. @throws NoRegularFile where a reader could wait for ever. */
export function readRegularUtf8(file: string): string {
  const stats = statSync(file);
  const what = kinds.find(([is]) => is(stats))?.[1];
  if (what !== undefined) throw new NoRegularFile(what);
  return readUtf8(file);
}

const kinds: readonly (readonly [(stats: Stats) => boolean, string])[] = [
  [(stats) => stats.isFIFO(), "a named pipe"],
  [(stats) => stats.isSocket(), "a socket"],
  [(stats) => stats.isCharacterDevice() || stats.isBlockDevice(), "a device"],
];

/** Why reading a file failed, in a word or two. */
export function whyUnreadable(error: unknown): string {
  if (error instanceof NoRegularFile) return `it ${error.message}`;
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
