/** Removes everything of a lab's cluster from its engine, whatever the state says. Images stay. */
import type Docker from "dockerode";
import { removeThing, type Thing, thingsOf } from "./objects";

/** Gives a line for each thing removed. @throws before anything is removed when a container is talosctl's own. */
export async function sweep(docker: Docker, cluster: string): Promise<string[]> {
  const things = await thingsOf(docker, cluster);
  await refuseOthers(docker, things);
  const lines: string[] = [];
  for (const thing of things) {
    await removeThing(docker, thing);
    lines.push(`${thing.kind} ${thing.name}: removed`);
  }
  return lines;
}

/** `talosctl cluster create docker` uses the same labels; only its nodes get their config in USERDATA. */
async function refuseOthers(docker: Docker, things: readonly Thing[]): Promise<void> {
  const containers = things.filter(({ kind }) => kind === "container");
  const others = await Promise.all(
    containers.map(async ({ id, name }) => {
      const { Config } = await docker.getContainer(id).inspect();
      const env = (Config.Env as string[] | null) ?? [];
      return env.some((variable) => variable.startsWith("USERDATA=")) ? [name] : [];
    }),
  );
  const names = others.flat();
  if (names.length === 0) return;
  throw new Error(
    `${names.join(", ")}: made by "talosctl cluster create" under the same cluster name, not by this program; nothing was removed; "talosctl cluster destroy" removes it`,
  );
}
