import type * as pulumi from "@pulumi/pulumi";
import { isOfType, TalosResource, type ResourceSpec } from "../core";
import type { input, output } from "../types";

const secretsSpec: ResourceSpec = {
  token: "talos:machine/secrets:Secrets",
  inputs: ["talosVersion"],
  required: [],
  secretInputs: [],
  computed: ["clientConfiguration", "machineSecrets"],
  secretOutputs: [],
};

export interface SecretsArgs {
  /** Version contract ("v1.13"). Lowering it replaces the secrets: the cluster is lost. */
  talosVersion?: pulumi.Input<string | undefined>;
}

export interface SecretsState extends SecretsArgs {
  clientConfiguration?: pulumi.Input<input.machine.ClientConfiguration | undefined>;
  machineSecrets?: pulumi.Input<input.machine.MachineSecretsArgs | undefined>;
}

/** A cluster's certificate authorities, tokens and the admin client certificate (valid one year). */
export class Secrets extends TalosResource {
  static readonly __pulumiType = secretsSpec.token;

  declare readonly clientConfiguration: pulumi.Output<output.machine.ClientConfiguration>;
  declare readonly machineSecrets: pulumi.Output<output.machine.MachineSecrets>;
  declare readonly talosVersion: pulumi.Output<string>;

  // eslint-disable-next-line max-params -- the signature of every Pulumi SDK
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: SecretsState,
    opts?: pulumi.CustomResourceOptions,
  ): Secrets {
    return new Secrets(name, state, { ...opts, id });
  }

  static override isInstance(value: unknown): value is Secrets {
    return isOfType(value, Secrets.__pulumiType);
  }

  constructor(name: string, args?: SecretsArgs, opts?: pulumi.CustomResourceOptions) {
    super(secretsSpec, { name, values: args, options: opts });
  }
}
