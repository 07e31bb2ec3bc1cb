import * as pulumi from "@pulumi/pulumi";
import { operations } from "../agreed/operations";
import type { PlanImage } from "../machine/image";
import { operation } from "./operation";
import { tokens } from "./tokens";
import type { Image } from "./types";
import type { ValidConfigs } from "./valid-configs";

export interface ImageSchematicArgs {
  /** What is known of the image offline. */
  readonly known: PlanImage;
  readonly factoryUrl: string;
  /** Whether the stack file keeps some of the schematic secret: then nothing of it is told. */
  readonly secretSchematic: boolean;
  /** Settles once the run may change anything: the registration is what everything else comes after. */
  readonly allowed: pulumi.Output<true>;
  readonly valid: Pick<ValidConfigs, "judged">;
}

/** Makes the schematic known to the factory and requires its id to be ours. The id itself is known before. */
export class ImageSchematic extends pulumi.ComponentResource implements Image {
  readonly schematicId: string;
  readonly installer: string;
  readonly proofs: readonly pulumi.Resource[];

  constructor(name: string, args: ImageSchematicArgs, opts?: pulumi.ComponentResourceOptions) {
    super(tokens.imageSchematic, name, {}, opts);
    const { known, factoryUrl, secretSchematic, allowed } = args;
    const { schematicId: id, text, installer, warnings } = known;
    for (const warning of warnings) void pulumi.log.warn(warning, this);
    this.schematicId = id;
    this.installer = installer;
    const registration = operation(
      `${name}-schematic`,
      {
        onCreate: operations.registerSchematic,
        onChange: operations.registerSchematic,
        // Absent where it is not secret: the inputs of clusters that are there stay as they are.
        input: { factoryUrl, id, text, ...(secretSchematic ? { secret: true } : {}) },
      },
      // No value flows from what was allowed: it settles, or ends the run.
      { parent: this, dependsOn: allowed.apply((): pulumi.Resource[] => []) },
    );
    this.proofs = [registration, args.valid.judged];
    this.registerOutputs({ schematicId: this.schematicId, installer: this.installer });
  }
}
