import { resolve } from "node:path";

import { openSession } from "../../../rehearsal/session";
import type { RunResult, Session, StackName } from "../../../rehearsal/session";
import { provideTools } from "../../../rehearsal/tools";
import type { Tools } from "../../../rehearsal/tools";

export const checkout = resolve(__dirname, "../../..");

/** What a rehearsal runs; the first time on a machine this builds for minutes. */
export const engineTools = async (): Promise<Tools> =>
  provideTools(checkout, (line) => void process.stderr.write(`${line}\n`));

/** A session of this checkout's stack in its simulated world, with further stack keys. */
export async function openStack(
  stack: StackName,
  overrides: Readonly<Record<string, unknown>> = {},
): Promise<Session> {
  return openSession({ stack, root: checkout, tools: await engineTools(), overrides });
}

/** Throws with what pulumi printed unless the run succeeded: a bare exit code explains nothing. */
export function succeeded(result: RunResult): RunResult {
  if (result.code !== 0)
    throw new Error(`exit code ${result.code}:\n${result.stdout.slice(-8000)}\n${result.stderr}`);
  return result;
}

/** Throws unless the run failed; gives all that was printed. */
export function failed(result: RunResult): string {
  if (result.code === 0) throw new Error(`it should have failed:\n${result.stdout.slice(-4000)}`);
  return result.stdout + result.stderr;
}
