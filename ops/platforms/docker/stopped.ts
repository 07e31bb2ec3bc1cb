/** Containers that will not come back by themselves: waiting for their nodes is in vain. Pure. */
import type Docker from "dockerode";

const GONE = new Set(["exited", "dead", "created"]);
const CURE = "pulumi refresh, then pulumi up makes it again (make up does both)";

type Listed = Pick<Docker.ContainerInfo, "Names" | "State" | "Status">;

/** Why each of these nodes cannot come, from the engine's list of all containers. */
export function stoppedNodes(
  names: readonly string[],
  containers: readonly Listed[],
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
