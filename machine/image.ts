/** Which image a plan's nodes are made from: known offline, from the schematic's text alone. */
import type { ClusterPlan } from "../config/types";
import { imageReferences, installerPlatform } from "../factory/images";
import { requireSchematic } from "../factory/resolve";

export interface PlanImage {
  /** SHA-256 of the canonical schematic, 64 hex digits. */
  readonly schematicId: string;
  /** The canonical text. */
  readonly text: string;
  /** Each with the source it is about. */
  readonly warnings: readonly string[];
  /** `<factory host>/<platform>-installer/<id>:<version>`. */
  readonly installer: string;
}

/** @throws ConfigError when the schematic has faults, which the plan's own rules have asked before. */
export function planImage(
  plan: Pick<ClusterPlan, "schematic" | "factoryUrl" | "platform" | "versions">,
): PlanImage {
  const { schematic, factoryUrl, platform, versions } = plan;
  const talosVersion = versions.talos;
  const { id, text, warnings } = requireSchematic(schematic.text, schematic.source, {
    talosVersion,
    platform,
  });
  const { installer } = imageReferences({
    ...{ id, factoryUrl, talosVersion, arch: "amd64" },
    platform: installerPlatform(platform),
  });
  return {
    ...{ schematicId: id, text, installer },
    warnings: warnings.map((warning) => `${schematic.source}: ${warning}`),
  };
}
