/** Takes a node out of the cluster before its machine goes. Each step may have been done already. */
import type { NodeInput } from "../../agreed/operations";
import type { Talosctl } from "../clients/talosctl";
import { type EtcdMember, parseMembers } from "../waits/etcd";
import { etcdFault, only } from "../waits/talos";
import { realContext, type WaitContext } from "../waits/wait";
import { whyItMustStay } from "./judge";
import type { NodeObjects } from "./node-object";

export interface Removal {
  readonly talosctl: Talosctl;
  readonly node: NodeInput;
  /** All that the node knew of, itself or not. */
  readonly controlPlanes: readonly NodeInput[];
  readonly objects: NodeObjects;
}

/** @throws with the reason when etcd would lose its majority, or when it cannot be asked. */
export async function removeNode(removal: Removal, context: WaitContext = realContext): Promise<void> {
  const { node, objects } = removal;
  if (node.role === "controlplane") await leaveEtcd(removal, context);
  const there = await objects.remove(node.name);
  context.print(`${node.name}: ${there ? "removed from Kubernetes" : "not in Kubernetes (any more)"}`);
}

const TRIES = 10;
const PAUSE_MS = 3_000;

/** Two that leave at once disturb each other for a moment: etcd changes one member at a time. */
async function leaveEtcd(removal: Removal, context: WaitContext): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const fault = await tryToLeave(removal, context);
    if (fault === undefined) return;
    if (tries >= TRIES)
      throw new Error(`${removal.node.name}: cannot leave etcd: ${fault}; nothing was removed`);
    context.print(`${removal.node.name}: ${fault}: tried again`);
    await context.sleep(PAUSE_MS);
  }
}

/** Undefined when the node is no member (any more). */
async function tryToLeave(removal: Removal, context: WaitContext): Promise<string | undefined> {
  const { talosctl, node } = removal;
  const others = removal.controlPlanes.filter(({ name }) => name !== node.name);
  const known = await membersOf(talosctl, [...others, node]);
  if ("fault" in known) return known.fault;
  const { members, through } = known;
  const member = members.find(({ hostname }) => hostname === node.name);
  if (member === undefined) {
    context.print(`${node.name}: not in etcd (any more)`);
    return undefined;
  }
  const stay = whyItMustStay({ name: node.name, members, healthy: await healthyOf(talosctl, others) });
  if (stay !== undefined) return stay;
  const left = await talosctl.run(only(node), ["etcd", "leave"]);
  if (left.ok) {
    context.print(`${node.name}: has left etcd`);
    return undefined;
  }
  if (through.name === node.name) return left.stderr;
  context.print(
    `${node.name}: does not leave by itself (${firstLine(left.stderr)}): removed through ${through.name}`,
  );
  const removed = await talosctl.run(only(through), ["etcd", "remove-member", member.id]);
  return removed.ok || /not ?found/i.test(removed.stderr) ? undefined : removed.stderr;
}

type Members =
  { readonly members: readonly EtcdMember[]; readonly through: NodeInput } | { readonly fault: string };

/** From the first that answers: those that stay are asked before the one that goes. */
async function membersOf(talosctl: Talosctl, asked: readonly NodeInput[]): Promise<Members> {
  const faults: string[] = [];
  for (const node of asked) {
    const { ok, stdout, stderr } = await talosctl.run(only(node), ["etcd", "members"]);
    const members = ok ? parseMembers(stdout) : [];
    if (members.length > 0) return { members, through: node };
    faults.push(`${node.name}: ${firstLine(stderr) || "shows no members"}`);
  }
  return { fault: `no control plane tells its members (${faults.join("; ")})` };
}

async function healthyOf(talosctl: Talosctl, nodes: readonly NodeInput[]): Promise<ReadonlySet<string>> {
  const faults = await Promise.all(nodes.map((node) => etcdFault(talosctl, only(node))));
  return new Set(nodes.filter((_, index) => faults[index] === undefined).map(({ name }) => name));
}

const firstLine = (text: string): string => text.split("\n")[0] ?? "";
