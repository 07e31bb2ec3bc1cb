import * as pulumi from "@pulumi/pulumi";
import { operations } from "../agreed/operations";
import type { ClusterPlan } from "../config/types";
import { imageReferences, installerPlatform } from "../factory/images";
import { requireSchematic } from "../factory/resolve";
import { operation } from "./operation";
import { tokens } from "./tokens";
import type { Image } from "./types";

export type ImageSchematicArgs = Pick<ClusterPlan, "schematic" | "factoryUrl" | "platform"> & {
  /** `v1.13.10` */
  readonly talosVersion: string;
};

/** Makes the schematic known to the factory and requires its id to be ours. The id itself is known before. */
export class ImageSchematic extends pulumi.ComponentResource implements Image {
  readonly schematicId: string;
  readonly installer: string;
  readonly registration: pulumi.Resource;

  constructor(name: string, args: ImageSchematicArgs, opts?: pulumi.ComponentResourceOptions) {
    super(tokens.imageSchematic, name, {}, opts);
    const { schematic, factoryUrl, talosVersion, platform } = args;
    const { id, text, warnings } = requireSchematic(schematic.text, schematic.source, {
      talosVersion,
      platform,
    });
    for (const warning of warnings) void pulumi.log.warn(`${schematic.source}: ${warning}`, this);
    this.schematicId = id;
    const image = {
      id,
      factoryUrl,
      talosVersion,
      platform: installerPlatform(platform),
      arch: "amd64",
    } as const;
    this.installer = imageReferences(image).installer;
    this.registration = operation(
      `${name}-schematic`,
      {
        onCreate: operations.registerSchematic,
        onChange: operations.registerSchematic,
        input: { factoryUrl, id, text },
      },
      { parent: this },
    );
    this.registerOutputs({ schematicId: this.schematicId, installer: this.installer });
  }
}
