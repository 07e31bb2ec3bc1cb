/** What a running cluster is spared: versions that would reach every node at once, or none, and changes that need a reboot. Pure. */
import { fleetRecord } from "../agreed/fleet-record";
import type { Fault } from "../base/faults";
import type { ClusterPlan } from "../config/types";

export interface VersionChange {
  readonly plan: Pick<ClusterPlan, "versions">;
  readonly schematicId: string;
  /** Another Talos is another machine (a container), made in turns; elsewhere it is an upgrade in place. */
  readonly talosReplaces: boolean;
  /** The record's data, as the last run that got that far left it; absent before the cluster was up. */
  readonly record: Readonly<Record<string, string>> | undefined;
  /** By node: the config it took last. Without a record they say what was installed; Kubernetes may still be changed then. */
  readonly configs: Readonly<Record<string, string>>;
}

const IN_CLUSTER = `the record in the cluster says (ConfigMap ${fleetRecord.namespace}/${fleetRecord.name})`;
const IN_CONFIGS = "their configs in the stack's state say";

/** What the servers were installed from, by a config that one of them took; for a run that ended before there was a record. */
function installedBy(configs: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const text of Object.values(configs)) {
    const [, schematic, talos] = /^\s+image: \S+-installer\/([0-9a-f]{64}):(v\S+)$/m.exec(text) ?? [];
    if (schematic !== undefined && talos !== undefined) return { schematic, talos };
  }
  return {};
}

export function versionFaults({ plan, schematicId, talosReplaces, ...former }: VersionChange): Fault[] {
  const { talos, kubernetes } = plan.versions;
  const record = former.record ?? installedBy(former.configs);
  const seen = `as ${former.record === undefined ? IN_CONFIGS : IN_CLUSTER}`;
  const kubernetesFault = changed(record["kubernetes"], kubernetes, {
    key: "kubernetesVersion",
    rule: `the cluster runs Kubernetes ${record["kubernetes"] ?? ""}, ${seen}, and a new version would reach all nodes at once: the upgrade node by node is not built yet`,
    repair: `set ${record["kubernetes"] ?? ""} again`,
  });
  const talosFault = changed(record["talos"], talos, {
    key: "talosVersion",
    rule: `the servers run Talos ${record["talos"] ?? ""}, ${seen}, and nothing would upgrade them: the upgrade node by node is not built yet`,
    repair: `set ${record["talos"] ?? ""} again`,
  });
  const schematicFault = changed(record["schematic"], schematicId, {
    key: "schematic",
    rule: `the servers run the schematic ${record["schematic"] ?? ""}, ${seen}, and nothing would install another: the upgrade node by node is not built yet`,
    repair: "bring the schematic back to what it was",
  });
  return [...kubernetesFault, ...(talosReplaces ? [] : [...talosFault, ...schematicFault])];
}

function changed(before: string | undefined, value: string, fault: Omit<Fault, "value">): Fault[] {
  return before === undefined || before === value ? [] : [{ ...fault, value }];
}

/** A fault for each path that needs a reboot, with the nodes it is about; `paths` by node name. */
export function rebootFaults(paths: Readonly<Record<string, readonly string[]>>): Fault[] {
  const nodes = new Map<string, string[]>();
  for (const [node, own] of Object.entries(paths))
    for (const path of own) nodes.set(path, [...(nodes.get(path) ?? []), node]);
  return [...nodes].map(([path, names]) => ({
    key: "reboots",
    value: "refuse",
    rule: `a change of ${path} needs a reboot of ${names.join(", ")}`,
    repair: "take it back: reboots one node at a time are not built yet",
  }));
}
