/** Takes away the lock of a run that was killed, and never one of a run that lives. */
import { homedir } from "node:os";
import { z } from "zod";
import { answerOf, type Pulumi } from "../clients/pulumi";
import { backendFolder, locksOf, lockText } from "./locks";
import { mendSidecars } from "./sidecars";

export interface LockArgs {
  readonly stack: string;
  readonly project: string;
  readonly pulumi: Pulumi;
  readonly print: (line: string) => void;
}

const who = z.looseObject({ url: z.string().default("") });

/** @throws when somebody else may be at work on the stack. Other backends keep their locks themselves. */
export async function clearStaleLocks({ stack, project, pulumi, print }: LockArgs): Promise<void> {
  const url = await backendUrl(pulumi);
  const folder = backendFolder(url, homedir());
  if (folder === undefined) return;
  const locks = locksOf(folder, project, stack);
  for (const lock of locks) {
    if (lock.holder === "alive") {
      throw new Error(
        `stack ${stack}: ${lockText(lock)}: a run is under way, and what it does is no leftover; wait for its end`,
      );
    }
    if (lock.holder === "elsewhere") {
      throw new Error(
        `stack ${stack}: ${lockText(lock)}: cannot be asked from here whether it lives; if it has ended, run "pulumi cancel --stack ${stack}"`,
      );
    }
  }
  for (const file of mendSidecars(folder, project, stack))
    print(`stack ${stack}: ${file} was cut short by a kill: removed`);
  if (locks.length === 0) return;
  await answerOf(pulumi, ["cancel", "--yes"]);
  for (const lock of locks) print(`stack ${stack}: lock of ${lockText(lock)}, which has ended: cleared`);
}

async function backendUrl(pulumi: Pulumi): Promise<string> {
  const { ok, stdout } = await pulumi(["whoami", "--json", "--verbose"]);
  return ok ? who.parse(JSON.parse(stdout)).url : "";
}
