import type * as pulumi from "@pulumi/pulumi";
import { isOfType, TalosResource, type ResourceSpec } from "../core";

const schematicSpec: ResourceSpec = {
  token: "talos:imageFactory/schematic:Schematic",
  inputs: ["schematic"],
  required: [],
  secretInputs: [],
  computed: [],
  secretOutputs: [],
};

export interface SchematicArgs {
  /** The schematic as YAML. */
  schematic?: pulumi.Input<string | undefined>;
}

export type SchematicState = SchematicArgs;

/** Registers a schematic with the Image Factory; the resource's id is the schematic's. */
export class Schematic extends TalosResource {
  static readonly __pulumiType = schematicSpec.token;

  declare readonly schematic: pulumi.Output<string | undefined>;

  // eslint-disable-next-line max-params -- the signature of every Pulumi SDK
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: SchematicState,
    opts?: pulumi.CustomResourceOptions,
  ): Schematic {
    return new Schematic(name, state, { ...opts, id });
  }

  static override isInstance(value: unknown): value is Schematic {
    return isOfType(value, Schematic.__pulumiType);
  }

  constructor(name: string, args?: SchematicArgs, opts?: pulumi.CustomResourceOptions) {
    super(schematicSpec, { name, values: args, options: opts });
  }
}
