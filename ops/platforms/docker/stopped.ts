/** Containers that will not come back by themselves: waiting for their nodes is in vain. */
import type Docker from "dockerode";
import { realSurroundings, type Surroundings } from "../../waits/walk";
import { engineFromHere } from "./engine";

const GONE = new Set(["exited", "dead", "created"]);
const CURE = "pulumi refresh, then pulumi up makes it again (make up does both)";

/** Why each of these nodes cannot come, from the engine's list of all containers. Pure. */
export function stoppedNodes(
  names: readonly string[],
  containers: readonly Pick<Docker.ContainerInfo, "Names" | "State" | "Status">[],
): Record<string, string> {
  const stopped = names.flatMap((name): (readonly [string, string])[] => {
    const container = containers.find(({ Names }) => Names.includes(`/${name}`));
    if (container === undefined) return [[name, `its container is not there: ${CURE}`]];
    return GONE.has(container.State)
      ? [[name, `its container is stopped (${container.Status}): ${CURE}`]]
      : [];
  });
  return Object.fromEntries(stopped);
}

/** The real surroundings; in a lab they also see stopped containers. An engine that cannot be asked says nothing. */
export function labSurroundings(
  engine: Parameters<typeof engineFromHere>[0] | undefined,
  names: readonly string[],
): Surroundings {
  if (engine === undefined) return realSurroundings;
  return {
    ...realSurroundings,
    hopeless: async () => {
      try {
        // Loading the client takes as long as all the rest, and most waits succeed at the first look.
        const { dockerClient } = await import("./client");
        return stoppedNodes(names, await dockerClient(engineFromHere(engine)).listContainers({ all: true }));
      } catch {
        return {};
      }
    },
  };
}
