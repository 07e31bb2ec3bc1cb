/** Adds to a failed wait what the containers of the nodes behind have to say. */
import { StageError } from "./walk";
import { causeOf } from "../platforms/docker/causes";

const LINES = 15;

/** The last lines of a node's log; undefined when there is no such container. */
export type ReadLog = (node: string, lines: number) => Promise<string | undefined>;

/** Runs `work`; a stage that fails is told with node logs and, where the log shows one, the cause and its cure. */
export async function explained<T>(readLog: ReadLog, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StageError)) throw error;
    const stories = await Promise.all(
      Object.entries(error.pending).map(([node, seen]) => story({ node, seen, readLog })),
    );
    throw new Error([error.message, ...stories.flat()].join("\n"), { cause: error });
  }
}

interface Behind {
  readonly node: string;
  readonly seen: string;
  readonly readLog: ReadLog;
}

async function story({ node, seen, readLog }: Behind): Promise<string[]> {
  const log = await readLog(node, LINES).catch(() => undefined);
  if (log === undefined) return [];
  const found = causeOf(log, seen);
  const cause = found === undefined ? [] : [`  cause: ${found.cause}`, `  do:    ${found.cure}`];
  const lines = log.trimEnd().split("\n").slice(-LINES);
  return [`${node}: the last lines of its log:`, ...lines.map((line) => `  | ${line}`), ...cause];
}
