/** The order in which patches reach a node. Pure. */
import type { ClusterPlan, NodePlan, Patch } from "../config/types";
import type { CommonFacts } from "./common";
import { commonPatch, controlPlanePatch, hostnamePatch, poolPatch, schedulingPatch } from "./common";

export interface PatchLayers {
  readonly plan: ClusterPlan;
  readonly facts: CommonFacts;
  /** The platform's patches for every node. */
  readonly platform: readonly Patch[];
}

/** Ours (common, platform, role, pool, hostname), then the operator's (all, role, pool, node): theirs win. */
export function patchesFor(node: NodePlan, layers: PatchLayers): readonly Patch[] {
  const { plan, facts, platform } = layers;
  const hasWorkers = plan.nodes.some((other) => other.role === "worker");
  const role = node.role === "controlplane" ? [controlPlanePatch(facts), ...schedulingPatch(hasWorkers)] : [];
  return [
    commonPatch(facts),
    ...platform,
    ...role,
    ...poolPatch(node),
    hostnamePatch(node, plan.versions),
    ...node.patches,
  ];
}

/** One string a document: the provider merges each as a strategic-merge patch. */
export const patchTexts = (patches: readonly Patch[]): string[] =>
  patches.flatMap((patch) => patch.documents.map((document) => JSON.stringify(document)));
