/** What a schematic means on each platform; one that is added to the program is asked for here too. */
import type { ImagePlatform } from "./images";

interface SchematicUse {
  /** The platform in the installer's name. */
  readonly installer: ImagePlatform;
  /** Whether nodes boot what the factory made. */
  readonly boots: boolean;
  /** Whether machines may be single-board computers, which is what overlays are for. */
  readonly boards: boolean;
}

/** A Docker lab uses metal's installer, which its nodes accept and never pull. */
const uses = {
  docker: { installer: "metal", boots: false, boards: false },
  hetzner: { installer: "hcloud", boots: true, boards: false },
} satisfies Readonly<Record<string, SchematicUse>>;

export type SchematicPlatform = keyof typeof uses;
export const schematicUses: Readonly<Record<SchematicPlatform, SchematicUse>> = uses;
