/** What is rendered and judged of a plan: the same patches in the same order as the program's. */
import type { ConfigsInput } from "../agreed/operations";
import type { ClusterPlan } from "../config/types";
import { configGroups, talosMode } from "./groups";
import { planImage } from "./image";
import type { PatchSources } from "./patches";
import { reserve } from "./reserve";

export const patchSources = (plan: ClusterPlan): PatchSources => ({
  plan,
  installer: planImage(plan).installer,
  reservation: reserve(plan),
});

export const clusterOf = ({ name, versions }: ClusterPlan, { reservation }: PatchSources) => ({
  clusterName: name,
  endpoint: reservation.endpoint,
  contract: versions.contract,
  kubernetesVersion: versions.kubernetes,
});

/** The input of the `validate` operation. `secret`: the stack file keeps some of the patches secret, so no value of them is told. */
export function configsInput(plan: ClusterPlan, secret: boolean): ConfigsInput {
  const sources = patchSources(plan);
  const copy = (patches: readonly { source: string; documents: readonly object[] }[]) =>
    patches.map(({ source, documents }) => ({ source, documents: documents.map((one) => ({ ...one })) }));
  const groups = configGroups(sources).map(({ role, nodes, own, operators }) => ({
    ...{ role, nodes: [...nodes], own: copy(own), operators: copy(operators) },
  }));
  // In the order of the states that exist: another one would be another input.
  return { ...clusterOf(plan, sources), mode: talosMode(plan.platform), secret, groups };
}
