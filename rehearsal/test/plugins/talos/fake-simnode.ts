import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface FakeAnswer {
  readonly ok: boolean;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  /** Waits before it answers, in ms. */
  readonly after?: number;
}

export const refusal = (code: string, what: string): FakeAnswer => ({
  ok: false,
  error: { code, message: `rpc error: code = ${code} desc = ${what}` },
});

/** A program that gives prepared answers in turn, the last one for ever, and keeps what it was asked. */
export function fakeSimnode(answers: readonly FakeAnswer[]) {
  const folder = mkdtempSync(join(tmpdir(), "fake-simnode-"));
  const [program, log] = [join(folder, "simnode"), join(folder, "log")];
  writeFileSync(log, "");
  const script = `#!${process.execPath}
const fs = require("node:fs");
const answers = ${JSON.stringify(answers)};
const asked = fs.readFileSync(${JSON.stringify(log)}, "utf8").split("\\n").length - 1;
fs.appendFileSync(${JSON.stringify(log)}, fs.readFileSync(0, "utf8") + "\\n");
const { after = 0, ...answer } = answers[Math.min(asked, answers.length - 1)];
setTimeout(() => console.log(JSON.stringify(answer)), after);
`;
  writeFileSync(program, script, { mode: 0o700 });
  return {
    program,
    requests: () =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
