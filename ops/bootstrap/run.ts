/** Founds etcd once, however often it is asked to. */
import type { NodeInput } from "../../agreed/operations";
import type { Talosctl } from "../clients/talosctl";
import { parseMembers, parseServices } from "../waits/etcd";
import { etcdStage, talosApiStage, configStage } from "../waits/talos";
import { realSurroundings, type Stage, type Surroundings, sighting, walk } from "../waits/walk";

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
  const known: { member?: string } = {};
  await walk([talosApiStage(stages), configStage(stages), earlierStage(args, known)], around);
  if (known.member === undefined) await walk([bootstrapStage(args)], around);
  else around.print(`etcd: already founded, ${known.member} is a member`);
  await walk([etcdStage(stages)], around);
}

/**
 * Whether a control plane belongs to an etcd already. Silence is no answer: a second etcd founded beside one without a
 * quorum would take its place. The node that founds is spared, since it refuses when it holds data.
 */
const earlierStage = (
  { talosctl, controlPlanes, limits }: FoundingArgs,
  known: { member?: string },
): Stage => ({
  name: "earlier etcd",
  limitSeconds: limits.etcd,
  async look() {
    const isMember = await Promise.all(controlPlanes.map((node) => hasMembers(talosctl, node)));
    const member = controlPlanes.find((_, index) => isMember[index] === true);
    if (member !== undefined) {
      known.member = member.name;
      return sighting({});
    }
    const doubts = await Promise.all(
      controlPlanes.slice(1).map(async (node) => [node.name, await doubt(talosctl, node)] as const),
    );
    return sighting(
      Object.fromEntries(doubts.flatMap(([name, text]) => (text === "" ? [] : [[name, text]]))),
    );
  },
});

async function hasMembers(talosctl: Talosctl, node: NodeInput): Promise<boolean> {
  const answer = await talosctl.run(only(node), ["etcd", "members"]);
  return answer.ok && parseMembers(answer.stdout).length > 0;
}

/** A node without etcd waits in this state to join one. */
const JOINING = "Preparing";

async function doubt(talosctl: Talosctl, node: NodeInput): Promise<string> {
  const { stdout, stderr } = await talosctl.run(only(node), ["service", "etcd"]);
  const seen = parseServices(stdout).get(node.address);
  if (seen?.startsWith(JOINING) === true) return "";
  return `etcd service ${seen ?? `unknown (${stderr.split("\n")[0] ?? ""})`}: may hold the cluster's data, so none is founded beside it`;
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
