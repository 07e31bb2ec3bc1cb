/** What is rendered and judged of a plan: the same patches in the same order as the program's. */
import type { ConfigsInput } from "../../agreed/operations";
import type { ClusterPlan } from "../../config/types";
import { imageReferences, installerPlatform } from "../../factory/images";
import { requireSchematic } from "../../factory/resolve";
import { configGroups, talosMode } from "../../machine/groups";
import type { PatchSources } from "../../machine/patches";
import { reserve } from "../../machine/reserve";
import type { Cluster } from "./render";

export function patchSources(plan: ClusterPlan): PatchSources {
  const { schematic, factoryUrl, versions, platform } = plan;
  const { id } = requireSchematic(schematic.text, schematic.source, { platform });
  const image = { id, factoryUrl, talosVersion: versions.talos, arch: "amd64" } as const;
  const { installer } = imageReferences({ ...image, platform: installerPlatform(platform) });
  return { plan, installer, reservation: reserve(plan) };
}

export const clusterOf = ({ name, versions }: ClusterPlan, { reservation }: PatchSources): Cluster => ({
  clusterName: name,
  endpoint: reservation.endpoint,
  contract: versions.contract,
  kubernetesVersion: versions.kubernetes,
});

/** The input of the `validate` operation. */
export function configsOf(plan: ClusterPlan, secret: boolean): ConfigsInput {
  const sources = patchSources(plan);
  const copy = (patches: readonly { source: string; documents: readonly object[] }[]) =>
    patches.map(({ source, documents }) => ({ source, documents: documents.map((one) => ({ ...one })) }));
  const groups = configGroups(sources).map(({ role, nodes, own, operators }) => ({
    ...{ role, nodes: [...nodes], own: copy(own), operators: copy(operators) },
  }));
  return { ...clusterOf(plan, sources), mode: talosMode(plan.platform), groups, secret };
}
