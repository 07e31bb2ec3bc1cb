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
  /** What is left in the `TMPDIR` of the session. */
  readonly temporary: () => string[];
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

const KUBECONFIG = /^kubeconfig\d+$/;

/** A destroy runs no program that could take away what the Kubernetes plugin leaves. */
const temporaryFiles = (session: Session): string[] =>
  filesIn(session.temp)
    .map(({ path }) => path)
    .filter((path) => !KUBECONFIG.test(path));

/** What the Kubernetes plugin has left so far. */
export const strayKubeconfigs = (session: Session): string[] =>
  filesIn(session.temp)
    .map(({ path }) => path)
    .filter((path) => KUBECONFIG.test(path));

export async function startLife(stack: StackName): Promise<Life> {
  const startedAt = Date.now();
  const session = await openStack(stack);
  const sampler = sampleProcesses();
  const life: Life = {
    session,
    sampler,
    startedAt,
    temporary: () => temporaryFiles(session),
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
    },
  };
  return life;
}
