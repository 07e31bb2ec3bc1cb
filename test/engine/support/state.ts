import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Session } from "../../../rehearsal/session";
import { checkout } from "./open";
import { titleOf } from "./steps";

/** `TYPE NAME` of everything in the state but the stack itself and default providers, sorted. */
export async function inState(session: Session): Promise<string[]> {
  const { deployment } = await session.exportState();
  return (deployment.resources ?? [])
    .map(({ urn }) => titleOf(String(urn)))
    .filter(
      (title) => !title.startsWith("pulumi:pulumi:Stack ") && !/^pulumi:providers:.* default/.test(title),
    )
    .sort();
}

/** Of the state, what stands for something that was made: no component, no provider, no judging of configs. */
export const madeResources = (titles: readonly string[]): string[] =>
  titles.filter((title) => !/^(talos-fleet:|pulumi:providers:)|^command:.*-validate$/.test(title));

/** What an undisturbed run holds, as test/program keeps it. */
export const undisturbed = (stack: string): string[] =>
  readFileSync(join(checkout, `test/program/inventory/${stack}.txt`), "utf8")
    .trim()
    .split("\n")
    .sort();

const logsOf = ({ world: { engine, hetzner }, stack }: Session, nodes: readonly string[]): string[] =>
  stack === "lab"
    ? [...(engine?.world.containers.values() ?? [])].map(({ folder }) => join(folder, "console.log"))
    : nodes.map((name) => hetzner?.simnodeFor(name)?.logFile ?? "");

/** How often etcd was founded, by what the nodes that live now have logged. */
export function foundings(session: Session, nodes: readonly string[] = []): number {
  const logs = logsOf(session, nodes)
    .filter(existsSync)
    .map((file) => readFileSync(file, "utf8"));
  return logs.join("\n").split("bootstrapped etcd").length - 1;
}
