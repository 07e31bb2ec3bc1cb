/** What our cluster has on the engine, by its labels. */
import type Docker from "dockerode";
import { labelFilter } from "../../agreed/labels/docker";
import { OWN_CLUSTER } from "./given";

const filters = { label: labelFilter(OWN_CLUSTER) };

/** `container tf-real-worker-1`, sorted. */
export async function everythingOf(docker: Docker): Promise<string[]> {
  const [containers, volumes, networks] = await Promise.all([
    docker.listContainers({ all: true, filters }),
    docker.listVolumes({ filters }),
    docker.listNetworks({ filters }),
  ]);
  return [
    ...containers.map(({ Names }) => `container ${(Names[0] ?? "").slice(1)}`),
    ...volumes.Volumes.map(({ Name }) => `volume ${Name}`),
    ...networks.map(({ Name }) => `network ${Name}`),
  ].sort();
}

/** Which containers run, and since when. */
export async function containersOf(docker: Docker): Promise<{ id: string; started: string }[]> {
  const containers = await docker.listContainers({ filters });
  const seen = await Promise.all(containers.map(({ Id }) => docker.getContainer(Id).inspect()));
  return seen
    .map(({ Id, State }) => ({ id: Id, started: State.StartedAt }))
    .sort((left, right) => left.id.localeCompare(right.id));
}

export const removed = async (container: Docker.Container): Promise<void> => {
  await container.remove({ force: true, v: true });
};

/** Each kind stands on the one after it. */
export async function removeEverything(docker: Docker): Promise<void> {
  const containers = await docker.listContainers({ all: true, filters });
  await Promise.all(containers.map(({ Id }) => removed(docker.getContainer(Id))));
  const volumes = await docker.listVolumes({ filters });
  await Promise.all(volumes.Volumes.map(({ Name }) => docker.getVolume(Name).remove()));
  const networks = await docker.listNetworks({ filters });
  await Promise.all(networks.map(({ Id }) => docker.getNetwork(Id).remove()));
}
