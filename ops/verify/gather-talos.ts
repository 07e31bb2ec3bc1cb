/** Asks the Talos API what verify judges. Changes nothing. */
import type { ClusterPlan, NodePlan } from "../../config/types";
import type { Talosctl, TalosctlTarget } from "../clients/talosctl";
import { type Look, look } from "../lib/look";
import { type LiveConfigs, type LiveSysctls, sysctlPath, wantedSysctls } from "./judge-config";
import type { TalosTexts } from "./judge-talos";
import { parseMachineConfigs } from "./parse";
import type { StackAccess } from "./stack-access";

export interface TalosSource {
  readonly talosctl: Talosctl;
  readonly plan: ClusterPlan;
  readonly access: StackAccess;
}

const isControlPlane = ({ role }: NodePlan): boolean => role === "controlplane";

/** Through the control planes to these nodes. */
function target({ plan, access }: TalosSource, nodes: readonly NodePlan[]): TalosctlTarget {
  const endpoints = plan.nodes
    .filter(isControlPlane)
    .flatMap(({ name }) => access.nodes[name]?.talosEndpoint ?? []);
  return { endpoints, nodes: nodes.map(({ address }) => address) };
}

/** What talosctl printed. A node that does not answer is missing there; only when none did it is a fault. */
const said = (talosctl: Talosctl, where: TalosctlTarget, args: readonly string[]): Promise<Look<string>> =>
  look(async () => {
    const { ok, stdout, stderr } = await talosctl.run(where, args);
    if (!ok && stdout.trim() === "") throw new Error(stderr);
    return stdout;
  });

export async function talosTexts(source: TalosSource): Promise<TalosTexts> {
  const { talosctl, plan } = source;
  const all = target(source, plan.nodes);
  const first = target(source, plan.nodes.filter(isControlPlane).slice(0, 1));
  const [members, versions, services, etcdMembers] = await Promise.all([
    said(talosctl, all, ["get", "members", "-o", "yaml"]),
    said(talosctl, all, ["version", "--short"]),
    said(talosctl, all, ["services"]),
    said(talosctl, first, ["etcd", "members"]),
  ]);
  return { members, versions, services, etcdMembers };
}

export async function liveConfigs(source: TalosSource): Promise<Look<LiveConfigs>> {
  const args = ["get", "machineconfig", "v1alpha1", "-o", "yaml"];
  const text = await said(source.talosctl, target(source, source.plan.nodes), args);
  return "fault" in text ? text : { found: parseMachineConfigs(text.found) };
}

/** Node by node: talosctl reads a file of one node at a time. */
export async function liveSysctls(source: TalosSource): Promise<LiveSysctls> {
  const live = new Map<string, ReadonlyMap<string, Look<string>>>();
  for (const node of source.plan.nodes) {
    const read = async (key: string) => {
      const args = ["read", sysctlPath(key)];
      return [key, await said(source.talosctl, target(source, [node]), args)] as const;
    };
    live.set(node.name, new Map(await Promise.all([...wantedSysctls(node).keys()].map(read))));
  }
  return live;
}
