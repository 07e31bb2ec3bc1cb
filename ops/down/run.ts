/** The end of a lab, by its labels: around `pulumi destroy`, or where the state is broken or gone. */
import type { ClusterPlan } from "../../config/types";
import { removeStrayKubeconfigs } from "../../agreed/stray-kubeconfigs";
import { BadInput } from "../lib/bad-input";
import { onPlatform } from "../platforms/select";
import { locksOf, lockText } from "../recover/locks";
import { authorityOfLab, removeFiles } from "./files";

export interface DownArgs {
  readonly stack: string;
  readonly project: string;
  readonly plan: ClusterPlan;
  readonly print: (line: string) => void;
  /** Only kill what runs: the destroy comes after, and need not wait for each machine's shutdown. */
  readonly machinesOnly?: boolean;
}

/** Files go last, and only when the platform holds nothing any more. Can be repeated. */
export async function down(args: DownArgs): Promise<void> {
  const { stack, project, plan, print } = args;
  const { removeAll } = await onPlatform(plan);
  if (removeAll === undefined) {
    throw new BadInput(`--stack: ${stack}: is not a lab on Docker; remove a fleet with "pulumi destroy"`);
  }
  // The sweep would take what Pulumi's own protection keeps.
  if (plan.deletionProtection) {
    throw new BadInput(
      `deletionProtection: true: keeps the cluster from being removed; set it to false in Pulumi.${stack}.yaml first`,
    );
  }
  refuseWhileRunning(project, stack);
  // Before the destroy, which takes the lab's own kubeconfig away: it tells which of a temp folder's are this cluster's.
  for (const path of strays(plan.name)) print(`${path}: a login to this cluster that a plugin left: removed`);
  await removeAll(args.machinesOnly === true ? "machines" : "all", print);
  if (args.machinesOnly === true) return;
  for (const line of await removeFiles({ cluster: plan.name, project, stack })) print(line);
}

function strays(cluster: string): string[] {
  const authority = authorityOfLab(cluster);
  return authority === undefined ? [] : removeStrayKubeconfigs(authority);
}

function refuseWhileRunning(project: string, stack: string): void {
  const alive = locksOf(".lab/state", project, stack).find(({ holder }) => holder === "alive");
  if (alive === undefined) return;
  throw new Error(`stack ${stack}: ${lockText(alive)}: a run is under way; wait for its end`);
}
