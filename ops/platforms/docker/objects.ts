/** What a lab's cluster has on its engine: found by its labels, removed one by one. */
import type Docker from "dockerode";
import pRetry, { AbortError } from "p-retry";
import { clusterOf, labelFilter } from "../../../agreed/labels/docker";

export type ObjectKind = "container" | "volume" | "network";

export interface EngineObject {
  readonly kind: ObjectKind;
  /** Containers and networks have one; a volume's is its name. */
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Containers first, networks last: the order in which they can be removed. */
export async function objectsOf(docker: Docker, cluster: string): Promise<EngineObject[]> {
  const filters = { label: labelFilter(cluster) };
  const containers = await docker.listContainers({ all: true, filters });
  const { Volumes } = await docker.listVolumes({ filters });
  const networks = await docker.listNetworks({ filters });
  const objects: EngineObject[] = [
    ...containers.map(({ Id, Names, Labels }) =>
      object("container", { id: Id, name: Names[0]?.slice(1) ?? Id, labels: Labels }),
    ),
    ...orNone(Volumes).map(({ Name, Labels }) => object("volume", { id: Name, name: Name, labels: Labels })),
    ...networks.map(({ Id, Name, Labels }) =>
      object("network", { id: Id, name: Name, labels: orEmpty(Labels) }),
    ),
  ];
  // The engine's filter is not all that stands between us and somebody else's objects.
  return objects.filter(({ labels }) => clusterOf(labels) === cluster);
}

/** An engine without volumes answers null, whatever its types say. */
const orNone = <T>(list: readonly T[] | null): readonly T[] => list ?? [];

const orEmpty = (labels: EngineObject["labels"] | null | undefined): EngineObject["labels"] => labels ?? {};

const object = (kind: ObjectKind, rest: Omit<EngineObject, "kind">): EngineObject => ({ kind, ...rest });

/** A object by its exact name (never by a prefix of its id); undefined when there is none. */
export async function objectNamed(
  docker: Docker,
  kind: ObjectKind,
  name: string,
): Promise<EngineObject | undefined> {
  const found = await unlessGone(() => inspect(docker, kind, name));
  return found?.name === name ? found : undefined;
}

async function inspect(docker: Docker, kind: ObjectKind, name: string): Promise<EngineObject> {
  switch (kind) {
    case "container": {
      const { Id, Name, Config } = await docker.getContainer(name).inspect();
      return object(kind, { id: Id, name: Name.replace(/^\//, ""), labels: Config.Labels });
    }
    case "volume": {
      const { Name, Labels } = await docker.getVolume(name).inspect();
      return object(kind, { id: Name, name: Name, labels: orEmpty(Labels) });
    }
    case "network": {
      const answer: unknown = await docker.getNetwork(name).inspect();
      const { Id, Name, Labels } = answer as Docker.NetworkInspectInfo;
      return object(kind, { id: Id, name: Name, labels: orEmpty(Labels) });
    }
  }
}

const TRIES = 5;
const PAUSE_MS = 500;

/** Removes a object; what is gone already is fine. Endpoints and mounts of a container just removed may linger. */
export const removeObject = (docker: Docker, { kind, id }: EngineObject): Promise<void> =>
  pRetry(
    async () => {
      try {
        await unlessGone(() => remove(docker, kind, id));
      } catch (error) {
        throw statusOf(error) === BUSY || statusOf(error) === FORBIDDEN
          ? error
          : new AbortError(asError(error));
      }
    },
    { retries: TRIES - 1, minTimeout: PAUSE_MS, factor: 1 },
  );

const NOT_FOUND = 404;
const BUSY = 409;
/** How the engine says that a network has active endpoints. */
const FORBIDDEN = 403;

async function remove(docker: Docker, kind: ObjectKind, id: string): Promise<void> {
  switch (kind) {
    case "container":
      // With its anonymous volumes; named ones are objects of their own.
      await docker.getContainer(id).remove({ force: true, v: true });
      return;
    case "volume":
      await docker.getVolume(id).remove();
      return;
    case "network":
      await docker.getNetwork(id).remove();
  }
}

export async function unlessGone<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (statusOf(error) === NOT_FOUND) return undefined;
    throw error;
  }
}

const statusOf = (error: unknown): unknown => (error as { statusCode?: unknown }).statusCode;

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
