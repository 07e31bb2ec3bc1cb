/** All the patches of a node's machine config, in the order in which they are merged. Pure; both halves read it. */
import type { Patch } from "../agreed/types";
import type { ClusterPlan, NodePlan } from "../config/types";
import { commonPatch, controlPlanePatch, hostnamePatch, poolPatch, schedulingPatch } from "./common";
import type { Reservation } from "./reserve";

export interface PatchSources {
  readonly plan: Pick<ClusterPlan, "nodes" | "pods" | "services">;
  /** `<factory host>/<platform>-installer/<id>:<version>`. */
  readonly installer: string;
  readonly reservation: Reservation;
}

/** Ours (common, platform, role, pool, hostname), then the operator's (all, role, pool, node): theirs win. */
export function patchesFor(node: NodePlan, { plan, installer, reservation }: PatchSources): readonly Patch[] {
  const { nodeNetwork } = reservation;
  const platform = reservation.patches(node);
  const facts = { installer, nodeNetwork, pods: plan.pods, services: plan.services };
  const hasWorkers = plan.nodes.some((other) => other.role === "worker");
  const role = node.role === "controlplane" ? [controlPlanePatch(facts), ...schedulingPatch(hasWorkers)] : [];
  return [commonPatch(facts), ...platform, ...role, ...poolPatch(node), hostnamePatch(node), ...node.patches];
}

/** One string a document: the provider merges each as a strategic-merge patch. */
export const patchTexts = (patches: readonly Patch[]): string[] =>
  patches.flatMap((patch) => patch.documents.map((document) => JSON.stringify(document)));
