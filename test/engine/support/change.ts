import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Session } from "../../../rehearsal/session";
import { overrideStackFile } from "../../../rehearsal/session/stack-file";
import { stepsOf } from "./steps";
import type { Step } from "./steps";

export const stackFile = ({ project, stack }: Session): string => join(project, `Pulumi.${stack}.yaml`);

/** Does something with the stack file changed, then puts the file back. */
export async function whileChanged<T>(
  session: Session,
  overrides: Readonly<Record<string, unknown>>,
  work: () => Promise<T>,
): Promise<T> {
  const file = stackFile(session);
  const before = readFileSync(file, "utf8");
  overrideStackFile(file, overrides);
  try {
    return await work();
  } finally {
    writeFileSync(file, before);
  }
}

/** What a preview with other stack keys would do. */
export const stepsAfter = async (
  session: Session,
  overrides: Readonly<Record<string, unknown>>,
): Promise<Step[]> =>
  whileChanged(session, overrides, async () => stepsOf(await session.preview({ json: true })));
