import { writeFileSync } from "node:fs";
import { stringify } from "yaml";

import { openSession } from "../../../rehearsal/session";
import type { Session, StackName } from "../../../rehearsal/session";
import { bareWorld } from "./bare-world";
import { stackFile } from "./change";
import { checkout, engineTools } from "./open";

export const bareSession = async (stack: StackName): Promise<Session> =>
  openSession({ stack, root: checkout, tools: await engineTools() }, bareWorld);

/** Gives the session a stack file with exactly these keys of the program's namespace. */
export function configure(session: Session, raw: Readonly<Record<string, unknown>>): void {
  const config = Object.fromEntries(Object.entries(raw).map(([key, value]) => [`talos-fleet:${key}`, value]));
  writeFileSync(stackFile(session), stringify({ config }), { mode: 0o600 });
}

/** How often a text stands in another. */
export const timesIn = (text: string, part: string): number => text.split(part).length - 1;
