/** Removes everything of a lab's cluster from its engine, whatever the state says. Images stay. */
import type Docker from "dockerode";
import type { Removal } from "../select";
import { type EngineObject, type ObjectKind, objectsOf, removeObject, unlessGone } from "./objects";

/** Each stands on those after it. */
const ORDER: readonly ObjectKind[] = ["container", "volume", "network"];

/**
 * Prints a line for each object that is gone. What goes for ever is killed, not shut down, and all containers at once.
 * @throws before anything is removed when a container is talosctl's own.
 */
export async function sweep(
  docker: Docker,
  { cluster, kinds }: { readonly cluster: string; readonly kinds: Removal },
  print: (line: string) => void,
): Promise<void> {
  const wanted = ORDER.slice(0, kinds === "machines" ? 1 : ORDER.length);
  const objects = (await objectsOf(docker, cluster)).filter(({ kind }) => wanted.includes(kind));
  await refuseOthers(docker, objects);
  if (objects.length === 0 && kinds === "all") print(`cluster ${cluster}: nothing left on the engine`);
  for (const kind of wanted) {
    const results = await Promise.allSettled(
      objects.filter((object) => object.kind === kind).map((object) => removed(docker, object)),
    );
    for (const result of results) if (result.status === "fulfilled") print(result.value);
    const faults = results.flatMap((result) =>
      result.status === "rejected" ? [result.reason as unknown] : [],
    );
    if (faults.length > 0) throw faults[0];
  }
}

async function removed(docker: Docker, object: EngineObject): Promise<string> {
  await removeObject(docker, object);
  return `${object.kind} ${object.name}: removed`;
}

/** `talosctl cluster create docker` uses the same labels; only its nodes get their config in USERDATA. */
async function refuseOthers(docker: Docker, objects: readonly EngineObject[]): Promise<void> {
  const containers = objects.filter(({ kind }) => kind === "container");
  const others = await Promise.all(containers.map((container) => nameIfOthers(docker, container)));
  const names = others.flat();
  if (names.length === 0) return;
  throw new Error(
    `${names.join(", ")}: made by "talosctl cluster create" under the same cluster name, not by this program; nothing was removed; "talosctl cluster destroy" removes it`,
  );
}

/** A container that goes while we look is nobody's any more. */
async function nameIfOthers(docker: Docker, { id, name }: EngineObject): Promise<string[]> {
  const inspected = await unlessGone(() => docker.getContainer(id).inspect());
  const env = (inspected?.Config.Env as string[] | null | undefined) ?? [];
  return env.some((variable) => variable.startsWith("USERDATA=")) ? [name] : [];
}
