import * as pulumi from "@pulumi/pulumi";
import { operation } from "./operation";
import { tokens } from "./tokens";
import type { Image } from "./types";

export interface ImageSchematicArgs {
  /** Base URL of the Image Factory. */
  readonly factoryUrl: string;
  /** SHA-256 of `text`, computed offline. */
  readonly schematicId: string;
  /** The canonical schematic, byte for byte what the factory would write. */
  readonly text: string;
  readonly installer: string;
}

/** Makes the schematic known to the factory and requires its id to be ours. The id itself is known before. */
export class ImageSchematic extends pulumi.ComponentResource implements Image {
  readonly schematicId: string;
  readonly installer: string;
  readonly registration: pulumi.Resource;

  constructor(name: string, args: ImageSchematicArgs, opts?: pulumi.ComponentResourceOptions) {
    super(tokens.imageSchematic, name, {}, opts);
    this.schematicId = args.schematicId;
    this.installer = args.installer;
    this.registration = operation(
      `${name}-schematic`,
      {
        call: "register-schematic",
        onChange: "register-schematic",
        input: { factoryUrl: args.factoryUrl, id: args.schematicId, text: args.text },
      },
      { parent: this },
    );
    this.registerOutputs({ schematicId: this.schematicId, installer: this.installer });
  }
}
