import { compareVersions } from "../../base/versions";
import { renamedExtension } from "../../factory/aliases";
import { poisonFaults } from "../../factory/poison";
import type { Schematic } from "../../factory/types";
import type { Catalogue } from "./catalogue";
import { type Answer, plain } from "./answers";

export interface Build {
  readonly id: string;
  readonly schematic: Schematic | undefined;
  readonly version: string;
  readonly catalogue: Catalogue;
}

/** Why an image cannot be built, with the factory's status and words; undefined when it can. */
export function buildRefusal({ id, schematic, version, catalogue }: Build): Answer | undefined {
  if (!schematic) return plain(404, `schematic ID "${id}" not found`);
  if (poisonFaults(schematic).length > 0) {
    return plain(400, "yaml: line 3: did not find expected key");
  }
  if (!catalogue.versions.includes(version)) return plain(404, `version ${version} is not available`);
  const problem = profileProblem(schematic, version, catalogue);
  return problem === undefined ? undefined : plain(400, `error enhancing profile from schematic: ${problem}`);
}

function profileProblem(
  { overlay, customization }: Schematic,
  version: string,
  catalogue: Catalogue,
): string | undefined {
  const available = (name: string) =>
    [name, renamedExtension(name) ?? name].some((known) => catalogue.extensions.includes(known));
  const missing = customization.officialExtensions.find((name) => !available(name));
  if (missing !== undefined)
    return `official extension "${missing}" is not available for Talos version ${version}`;
  if (customization.embeddedMachineConfiguration !== "" && compareVersions(version, "v1.12.0") < 0) {
    return `embedded machine configuration is not supported for Talos version ${version}`;
  }
  const known = overlay.name === "" || catalogue.overlays.some(({ name }) => name === overlay.name);
  // The real factory leaves the name out here too.
  return known ? undefined : `official overlay "" is not available for Talos version ${version}`;
}
