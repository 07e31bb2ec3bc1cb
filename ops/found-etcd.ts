/** Founds etcd once, however often it is asked to. */
import type { NodeInput } from "./lib/input";
import type { Talosctl } from "./lib/talosctl";
import { parseMembers } from "./stages/etcd";
import { etcdStage, talosApiStage, configStage } from "./stages/talos";
import { realSurroundings, type Stage, type Surroundings, sighting, walk } from "./stages/walk";

export interface FoundingArgs {
  readonly talosctl: Talosctl;
  /** The first of them founds; all of them are asked before it does. */
  readonly controlPlanes: readonly NodeInput[];
  readonly limits: { readonly talosApi: number; readonly etcd: number };
}

/**
 * Success is a healthy etcd of all control planes, no matter who founded it and when.
 * @throws StageError naming the stage and node that did not come.
 */
export async function foundEtcd(args: FoundingArgs, around: Surroundings = realSurroundings): Promise<void> {
  const stages = { talosctl: args.talosctl, nodes: args.controlPlanes, limits: args.limits };
  await walk([talosApiStage(stages), configStage(stages)], around);
  const member = await existingMember(args);
  if (member === undefined) await walk([bootstrapStage(args)], around);
  else around.print(`etcd: already founded, ${member} is a member`);
  await walk([etcdStage(stages)], around);
}

/** A control plane that already belongs to an etcd. A second one must never be founded beside it. */
async function existingMember({ talosctl, controlPlanes }: FoundingArgs): Promise<string | undefined> {
  const answers = await Promise.all(
    controlPlanes.map(async (node) => {
      const answer = await talosctl.run(only(node), ["etcd", "members"]);
      return answer.ok && parseMembers(answer.stdout).length > 0 ? node.name : undefined;
    }),
  );
  return answers.find((name) => name !== undefined);
}

const only = (node: NodeInput) => ({ endpoints: [node.endpoint], nodes: [node.address] });

/** Until the first control plane takes the call: its container runtime may need a moment after the config. */
const bootstrapStage = ({ talosctl, controlPlanes, limits }: FoundingArgs): Stage => ({
  name: "bootstrap",
  limitSeconds: limits.etcd,
  async look() {
    const [first] = controlPlanes;
    if (first === undefined) throw new Error("bootstrap: there is no control plane to found etcd on");
    const answer = await talosctl.run(only(first), ["bootstrap"]);
    // Lost answers are why this is success: the call before may have done it.
    if (answer.ok || answer.stderr.includes("AlreadyExists")) return sighting({});
    return sighting({ [first.name]: explain(answer.stderr) });
  },
});

function explain(fault: string): string {
  const refused = fault.includes("PermissionDenied") || fault.includes("Unimplemented");
  return refused ? `has no config yet (maintenance mode): ${fault}` : fault;
}
