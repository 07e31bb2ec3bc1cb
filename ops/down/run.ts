/** The end of a lab, by its labels: after `pulumi destroy`, or where the state is broken or gone. */
import type { DockerEngine } from "../../config/docker-engine";
import type { DockerClusterPlan } from "../../config/types";
import { dockerClient } from "../platforms/docker/client";
import { locksOf, lockText } from "../recover/locks";
import { removeFiles } from "./files";
import { sweep } from "../platforms/docker/sweep";
import { messageOf } from "../../base/text";

export interface DownArgs {
  readonly stack: string;
  readonly project: string;
  readonly plan: DockerClusterPlan;
  readonly engine: DockerEngine;
  readonly print: (line: string) => void;
}

/** Files go last, and only when the engine holds nothing any more. Can be repeated. */
export async function down({ stack, project, plan, engine, print }: DownArgs): Promise<void> {
  refuseWhileRunning(project, stack);
  print(`Docker engine ${engine.host} (${engine.from})`);
  const removed = await onEngine(engine, plan.name);
  for (const line of removed) print(line);
  if (removed.length === 0) print(`cluster ${plan.name}: nothing left on the engine`);
  for (const line of await removeFiles({ cluster: plan.name, project, stack })) print(line);
}

async function onEngine(engine: DockerEngine, cluster: string): Promise<string[]> {
  const docker = dockerClient(engine);
  try {
    await docker.ping();
  } catch (error) {
    const fault = messageOf(error);
    throw new Error(
      `${engine.host} (${engine.from}): ${fault}: what is left on the engine cannot be removed, so .lab/ stays; start the engine and repeat`,
      { cause: error },
    );
  }
  return sweep(docker, cluster);
}

function refuseWhileRunning(project: string, stack: string): void {
  const alive = locksOf(".lab/state", project, stack).find(({ holder }) => holder === "alive");
  if (alive === undefined) return;
  throw new Error(`stack ${stack}: ${lockText(alive)}: a run is under way; wait for its end`);
}
