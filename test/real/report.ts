/** Steps in their order, what each of them saw, and the table at the end. */
import Table from "cli-table3";

import { messageOf } from "../../base/text";

type Result = "passed" | "FAILED" | "not tried";

export interface Outcome {
  readonly name: string;
  readonly result: Result;
  /** What was seen, or why it failed or was not tried. */
  readonly seen: string;
  readonly seconds: number;
}

export interface Step {
  readonly name: string;
  /** Steps that must have passed; without them this one cannot be tried. */
  readonly after: readonly string[];
  /** Gives what it saw; throws `NotTried` with the reason, or an error when it fails. */
  readonly run: () => Promise<string>;
}

/** Neither good nor bad: it could not be tried here. */
export class NotTried extends Error {
  override readonly name = "NotTried";
}

export interface Teller {
  readonly say: (line: string) => void;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Every step is told; one that fails takes along only those that need it. */
export async function runSteps(steps: readonly Step[], { say, now }: Teller): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const begin = now();
  for (const step of steps) {
    const missing = step.after.find(
      (name) => outcomes.find((outcome) => outcome.name === name)?.result !== "passed",
    );
    const started = now();
    say(`[${clock(started - begin)}] ${step.name} ...`);
    const { result, seen } =
      missing === undefined
        ? await tried(step)
        : { result: "not tried" as const, seen: `because "${missing}" did not pass` };
    const ended = now();
    outcomes.push({ name: step.name, result, seen, seconds: Math.round((ended - started) / 1000) });
    say(`[${clock(ended - begin)}] ${result}: ${step.name}: ${seen}`);
  }
  return outcomes;
}

async function tried(step: Step): Promise<Pick<Outcome, "result" | "seen">> {
  try {
    return { result: "passed", seen: await step.run() };
  } catch (error) {
    return { result: error instanceof NotTried ? "not tried" : "FAILED", seen: messageOf(error) };
  }
}

/** `  2:07`, minutes and seconds. */
const clock = (milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(3)}:${String(seconds % 60).padStart(2, "0")}`;
};

const firstLine = (text: string): string => text.trim().split("\n")[0] ?? "";

export function summary(outcomes: readonly Outcome[]): string {
  const table = new Table({
    head: ["step", "result", "seconds", "seen"],
    style: { head: [], border: [] },
    colWidths: [null, null, null, 90],
    wordWrap: true,
  });
  table.push(...outcomes.map(({ name, result, seconds, seen }) => [name, result, seconds, firstLine(seen)]));
  const count = (result: Result) => outcomes.filter((outcome) => outcome.result === result).length;
  const counts = `${count("passed")} passed, ${count("FAILED")} failed, ${count("not tried")} not tried`;
  const untried = outcomes.filter(({ result }) => result === "not tried");
  const named = untried.map(({ name, seen }) => `not tried: ${name}, ${firstLine(seen)}`);
  return [table.toString(), ...named, counts].join("\n");
}

export const exitCode = (outcomes: readonly Outcome[]): number =>
  outcomes.some(({ result }) => result === "FAILED") ? 1 : 0;
