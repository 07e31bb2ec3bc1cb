/** Founds etcd once, however often it is asked to. */
import type { NodeInput } from "../../agreed/operations";
import type { Talosctl } from "../clients/talosctl";
import { pairs } from "../lib/pairs";
import { parseMembers } from "../waits/etcd";
import { healthText, serviceStates } from "../waits/services";
import { configWait, etcdWait, only, talosApiWait } from "../waits/talos";
import { realContext, reach, seen, type Wait, type WaitContext, walk } from "../waits/wait";

export interface FoundingArgs {
  readonly talosctl: Talosctl;
  /** The first of them founds; all of them are asked before it does. */
  readonly controlPlanes: readonly NodeInput[];
  readonly limits: { readonly talosApi: number; readonly etcd: number };
}

/**
 * Success is a healthy etcd of all control planes, no matter who founded it and when.
 * @throws WaitError naming the wait and the node that did not come.
 */
export async function foundEtcd(args: FoundingArgs, context: WaitContext = realContext): Promise<void> {
  const { talosctl, controlPlanes, limits } = args;
  const waits = { talosctl, nodes: controlPlanes, limits };
  const known: { member?: string } = {};
  await walk([talosApiWait(waits), configWait(waits), earlierWait(args, known)], context);
  if (known.member === undefined) await reach(bootstrapWait(args), context);
  else context.print(`etcd: already founded, ${known.member} is a member`);
  await reach(etcdWait(waits), context);
}

/**
 * Whether a control plane belongs to an etcd already. Silence is no answer: a second etcd founded beside one without a
 * quorum would take its place. The node that founds is spared, since it refuses when it holds data.
 */
const earlierWait = (
  { talosctl, controlPlanes, limits }: FoundingArgs,
  known: { member?: string },
): Wait => ({
  name: "earlier etcd",
  limitSeconds: limits.etcd,
  async look() {
    const isMember = await Promise.all(controlPlanes.map((node) => hasMembers(talosctl, node)));
    const member = controlPlanes.find((_, index) => isMember[index] === true);
    if (member !== undefined) {
      known.member = member.name;
      return seen({});
    }
    return seen(await pairs(controlPlanes.slice(1), (node) => doubt(talosctl, node)));
  },
});

async function hasMembers(talosctl: Talosctl, node: NodeInput): Promise<boolean> {
  const answer = await talosctl.run(only(node), ["etcd", "members"]);
  return answer.ok && parseMembers(answer.stdout).length > 0;
}

/** A node without etcd waits in this state to join one. */
const JOINING = "Preparing";

async function doubt(talosctl: Talosctl, node: NodeInput): Promise<string | undefined> {
  const { stdout, stderr } = await talosctl.run(only(node), ["service", "etcd"]);
  const service = serviceStates(stdout).get(node.address);
  if (service?.state.startsWith(JOINING) === true && service.health !== "OK") return undefined;
  const state = service === undefined ? `unknown (${stderr.split("\n")[0] ?? ""})` : healthText(service);
  return `etcd service ${state}: may hold the cluster's data, so none is founded beside it`;
}

/** Until the first control plane takes the call: its container runtime may need a moment after the config. */
const bootstrapWait = ({ talosctl, controlPlanes, limits }: FoundingArgs): Wait => ({
  name: "bootstrap",
  limitSeconds: limits.etcd,
  async look() {
    const [first] = controlPlanes;
    if (first === undefined) throw new Error("bootstrap: there is no control plane to found etcd on");
    const answer = await talosctl.run(only(first), ["bootstrap"]);
    // Lost answers are why this is success: the call before may have done it.
    if (answer.ok || answer.stderr.includes("AlreadyExists")) return seen({});
    return seen({ [first.name]: explain(answer.stderr) });
  },
});

function explain(fault: string): string {
  const refused = fault.includes("PermissionDenied") || fault.includes("Unimplemented");
  return refused ? `has no config yet (maintenance mode): ${fault}` : fault;
}
