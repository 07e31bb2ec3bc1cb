/** The checklist of a running cluster from all that was seen of it. Pure. */
import { fleetRecord, recordData } from "../../agreed/fleet-record";
import { encrypted } from "../../config/raw";
import type { ClusterPlan } from "../../config/types";
import { requireSchematic } from "../../factory/resolve";
import type { Look } from "../lib/look";
import type { Check } from "./check";
import { type Expiry, expiryChecks, type FoundFile, strayChecks, untouchedChecks } from "./judge-access";
import { configChecks, type LiveConfigs, type LiveSysctls, sysctlChecks } from "./judge-config";
import { type LiveNode, nodeChecks, recordChecks } from "./judge-kubernetes";
import { etcdChecks, memberChecks } from "./judge-members";
import { serviceChecks, type TalosTexts, versionChecks } from "./judge-talos";

export interface SeenCluster {
  readonly texts: TalosTexts;
  readonly configs: Look<LiveConfigs>;
  readonly sysctls: LiveSysctls;
  readonly nodes: Look<readonly LiveNode[]>;
  readonly record: Look<Readonly<Record<string, string>>>;
  /** What only this platform has to show. */
  readonly platform: readonly Check[];
  readonly expiries: readonly Expiry[];
  readonly usersFiles: readonly FoundFile[];
  readonly authorities: Look<readonly string[]>;
  readonly strays: Look<readonly string[]>;
  readonly now: Date;
}

export const judgeCluster = (plan: ClusterPlan, seen: SeenCluster): Check[] => [
  ...talosChecks(plan, seen),
  ...configChecks(plan.nodes, seen.configs),
  ...sysctlChecks(plan.nodes, seen.sysctls),
  ...nodeChecks(plan, seen.nodes),
  ...ofRecord(plan, seen.record),
  ...seen.platform,
  ...expiryChecks(seen.expiries, seen.now),
  ...untouchedChecks(seen.usersFiles, seen.authorities),
  ...strayChecks(seen.strays),
];

export const talosChecks = (plan: ClusterPlan, seen: Pick<SeenCluster, "texts" | "nodes">): Check[] => [
  ...memberChecks(plan, { ...seen.texts, kubernetes: seen.nodes }),
  ...versionChecks(plan, seen.texts.versions),
  ...serviceChecks(plan, seen.texts.services),
  ...etcdChecks(plan, seen.texts.etcdMembers),
];

function ofRecord(plan: ClusterPlan, record: SeenCluster["record"]): readonly Check[] {
  const { schematic, platform, versions } = plan;
  const target = { talosVersion: versions.talos, platform };
  const { id } = requireSchematic(schematic.text, schematic.source, target);
  const { schematic: recorded, ...others } = recordData({ cluster: plan.name, schematicId: id, versions });
  if (!schematic.text.includes(encrypted))
    return recordChecks({ ...others, schematic: recorded ?? id }, record);
  const unknown: Check = {
    what: `ConfigMap ${fleetRecord.namespace}/${fleetRecord.name} schematic`,
    expected: "the id of a schematic with secret values",
    seen: "an id (the values are encrypted in the stack file, and verify cannot decrypt them)",
    result: "not tried",
  };
  return [...recordChecks(others, record), unknown];
}
