/** Credentials, files and what must have been left alone. Pure. */
import type { Look } from "../lib/look";
import { type Check, firstLine, judged, passIf } from "./check";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Enough time to notice before nobody can log in; `up` renews 90 days before the end. */
const ENOUGH_DAYS = 30;

export interface Expiry {
  readonly credential: "kubeconfig" | "talosconfig";
  readonly end: Look<Date>;
}

export const expiryChecks = (expiries: readonly Expiry[], now: Date): Check[] =>
  expiries.flatMap(({ credential, end }) => {
    const what = `${credential} certificate`;
    const expected = `${ENOUGH_DAYS} days left or more`;
    return judged(end, { what, expected }, (date) => {
      const days = Math.floor((date.getTime() - now.getTime()) / DAY_MS);
      const seen = `${days} days left (${date.toISOString().slice(0, 10)})`;
      return [{ what, expected, seen, result: passIf(days >= ENOUGH_DAYS) }];
    });
  });

export interface FoundFile {
  readonly path: string;
  /** Undefined when there is no such file. */
  readonly text: string | undefined;
  /** ISO time of the last change. */
  readonly modified: string;
  /** Permission bits. */
  readonly mode: number;
}

/** Files of the user that must not name this cluster: by its CAs, which nobody else has. */
export const untouchedChecks = (files: readonly FoundFile[], authorities: Look<readonly string[]>): Check[] =>
  files.flatMap(({ path, text, modified }) => {
    const unseen = {
      what: `${path} untouched`,
      expected: "nothing of this cluster (looked for its certificate authorities)",
    };
    return judged(authorities, unseen, (known) => {
      const named = known.some((authority) => text?.includes(authority) === true);
      const where =
        text === undefined ? "no such file" : `a file last changed ${modified} that does not name it`;
      return [
        {
          ...unseen,
          seen: named ? `a file last changed ${modified} that names it` : where,
          result: passIf(!named),
        },
      ];
    });
  });

/** Logins to this cluster, with their keys, that the Kubernetes plugin left behind; only their paths are known here. */
export function strayChecks(strays: Look<readonly string[]>): readonly Check[] {
  const unseen = { what: "kubeconfigs in the temp folder", expected: "none of this cluster" };
  return judged(strays, unseen, (paths) => {
    const left = `${paths.join(" ")}: the next pulumi preview or up removes them (talos-fleet down too)`;
    const none = paths.length === 0;
    return [{ ...unseen, seen: none ? "none" : left, result: passIf(none) }];
  });
}

const PRIVATE = 0o600;

/** The lab's own files: for nobody else to read, and what the stack's outputs say. */
export const fileChecks = (
  files: readonly { readonly file: FoundFile; readonly output: string }[],
): Check[] =>
  files.map(({ file, output }) => {
    const mode = `mode 0${file.mode.toString(8)}`;
    const content = file.text === output ? "the stack's output" : "not the stack's output";
    return {
      what: file.path,
      expected: `mode 0${PRIVATE.toString(8)}, the stack's output`,
      seen: file.text === undefined ? "no such file" : `${mode}, ${content}`,
      result: passIf(file.text === output && file.mode === PRIVATE),
    };
  });

const NO_SHELL = "executable file not found";
/** runc and crun put the program's name at different places. */
const SAYS_NO_SHELL = /executable file .*not found/;
const COULD_NOT_START = "OCI runtime exec failed";

/** What `docker exec NODE sh` answered: there must be nothing to run. */
export const shellChecks = (
  answers: readonly { readonly node: string; readonly answer: Look<string> }[],
): Check[] =>
  answers.flatMap(({ node, answer }) => {
    const what = `${node} shell (docker exec ${node} sh)`;
    return judged(answer, { what, expected: NO_SHELL }, (text) => [
      { what, expected: NO_SHELL, ...shellSeen(text) },
    ]);
  });

function shellSeen(text: string): Pick<Check, "seen" | "result"> {
  if (SAYS_NO_SHELL.test(text)) return { seen: NO_SHELL, result: "pass" };
  const answer = firstLine(text);
  return text.includes(COULD_NOT_START)
    ? { seen: `the engine could start nothing there: ${answer}`, result: "not tried" }
    : { seen: `it ran, and answered "${answer}"`, result: "FAIL" };
}
