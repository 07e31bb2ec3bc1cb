import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { RunResult, Session, StackName } from "../../../rehearsal/session";
import { filesIn } from "./files";
import { openStack, succeeded } from "./open";
import { sampleProcesses } from "./sampler";
import type { Sampler } from "./sampler";

/** A session that is watched from before its first run: what it prints, its processes, its files. */
export interface Life {
  readonly session: Session;
  readonly sampler: Sampler;
  readonly startedAt: number;
  /** `TMPDIR` of everything that the session runs. */
  readonly scratch: string;
  /** Files of the project's folder at the start, `.lab` aside. */
  readonly atFirst: readonly string[];
  /** All that was printed so far. */
  printed: string;
  /** Throws unless the run succeeded; keeps what it printed. */
  readonly take: (run: Promise<RunResult>) => Promise<RunResult>;
  readonly end: () => Promise<void>;
}

/** Names in the project's folder, those of `.lab` aside. */
export const projectFiles = (session: Session): string[] =>
  filesIn(session.project, /^\.lab$/).map(({ path }) => path);

export async function startLife(stack: StackName): Promise<Life> {
  const startedAt = Date.now();
  const scratch = mkdtempSync(join(tmpdir(), "tf-scratch-"));
  process.env["TMPDIR"] = scratch;
  const session = await openStack(stack);
  const sampler = sampleProcesses();
  const life: Life = {
    session,
    sampler,
    startedAt,
    scratch,
    atFirst: projectFiles(session),
    printed: "",
    take: async (run) => {
      const result = await run;
      life.printed += result.stdout + result.stderr;
      return succeeded(result);
    },
    end: async () => {
      sampler.stop();
      await session.close();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
  return life;
}
