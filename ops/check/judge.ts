/** The values inside patches, which only Talos itself can judge: where talosctl is present, and the rest has no fault. */
import type { Fault, Note } from "../../base/faults";
import { planOf } from "../../config/plan";
import type { PlanSources } from "../../config/plan";
import { encrypted } from "../../config/raw";
import { schematicKey } from "../../config/resolve";
import { findTalosctl } from "../clients/talosctl-offline";
import { configsInput } from "../../machine/configs-input";
import { judgeConfigs, notJudged } from "../validate/run";

export interface Judged {
  readonly faults: readonly Fault[];
  /** Why nobody judged them, or what was left out. */
  readonly notes: readonly Note[];
}

const encryptedNotJudged = (key: string): Note => ({
  key,
  value: encrypted,
  note: "encrypted values were not judged: `up` does it",
});

export async function judgeValues(sources: PlanSources): Promise<Judged> {
  const input = configsInput(planOf(sources), false);
  const ofSchematic = sources.schematic.text.includes(encrypted) ? [encryptedNotJudged(schematicKey)] : [];
  const isPatched = input.groups.some(({ operators }) => operators.length > 0);
  const talosctl = await findTalosctl();
  if (talosctl === undefined)
    return { faults: [], notes: [...(isPatched ? [notJudged] : []), ...ofSchematic] };
  const faults = await judgeConfigs(input, talosctl);
  const ofPatches = JSON.stringify(input.groups).includes(encrypted) ? [encryptedNotJudged("patches")] : [];
  return { faults, notes: [...ofPatches, ...ofSchematic] };
}
