/** One line of the checklist. Pure. */
import { messageOf } from "../../base/text";

export interface Check {
  readonly what: string;
  readonly expected: string;
  readonly seen: string;
  readonly ok: boolean;
}

/** What was found, or why nothing could be seen. */
export type Look<T> = { readonly found: T } | { readonly fault: string };

/** `pass  lab-worker-1 version: expected v1.13.10, seen v1.13.10` */
export const checkLine = ({ what, expected, seen, ok }: Check): string =>
  `${ok ? "pass" : "FAIL"}  ${what}: expected ${expected}, seen ${seen}`;

/** Passes when the two texts are the same. */
export const same = (what: string, expected: string, seen: string): Check => ({
  what,
  expected,
  seen,
  ok: expected === seen,
});

/** One check when nothing could be seen, else what `judge` makes of what was found. */
export const judged = <T>(
  look: Look<T>,
  unseen: { readonly what: string; readonly expected: string },
  judge: (found: T) => readonly Check[],
): readonly Check[] =>
  "fault" in look ? [{ ...unseen, seen: firstLine(look.fault), ok: false }] : judge(look.found);

const firstLine = (text: string): string => text.trim().split("\n")[0] ?? "";

/** Turns a thrown error into a fault to show. */
export async function look<T>(see: () => Promise<T>): Promise<Look<T>> {
  try {
    return { found: await see() };
  } catch (error) {
    return { fault: messageOf(error) };
  }
}

export const listed = (names: readonly string[]): string =>
  names.length === 0 ? "none" : [...names].sort().join(" ");
