/** One line of the checklist. Pure. */
import type { Look } from "../lib/look";

/** `not tried`: nothing was learnt, neither good nor bad. */
export type Result = "pass" | "FAIL" | "not tried";

export interface Check {
  readonly what: string;
  readonly expected: string;
  readonly seen: string;
  readonly result: Result;
}

/** `pass  lab-worker-1 version: expected v1.13.10, seen v1.13.10` */
export const checkLine = ({ what, expected, seen, result }: Check): string =>
  printable(`${result}  ${what}: expected ${expected}, seen ${seen}`);

/** A node's answer must not steer the terminal. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, "?");

export const passIf = (good: boolean): Result => (good ? "pass" : "FAIL");

/** Passes when the two texts are the same. */
export const same = (what: string, expected: string, seen: string): Check => ({
  what,
  expected,
  seen,
  result: passIf(expected === seen),
});

interface Unseen {
  readonly what: string;
  readonly expected: string;
}

/** One check when nothing could be seen, else what `judge` makes of what was found. */
export const judged = <T>(
  look: Look<T>,
  unseen: Unseen,
  judge: (found: T) => readonly Check[],
): readonly Check[] =>
  "fault" in look ? [{ ...unseen, seen: firstLine(look.fault), result: "FAIL" }] : judge(look.found);

export const firstLine = (text: string): string => text.trim().split("\n")[0] ?? "";

export const listed = (names: readonly string[]): string =>
  names.length === 0 ? "none" : [...names].sort().join(" ");
