import * as pulumi from "@pulumi/pulumi";
import * as talos from "@pulumiverse/talos";
import { tokens } from "./tokens";
import type { Image } from "./types";

export interface MachineSecretsArgs {
  /** The config contract at creation, such as `v1.13`. */
  readonly contract: string;
  /** Nothing is made before the factory has taken the schematic. */
  readonly image: Image;
  /** Refuse to delete the bundle: losing it loses the cluster. */
  readonly protect: boolean;
}

/** The cluster's CAs and tokens, made once. The only source of secrets. */
export class MachineSecrets extends pulumi.ComponentResource {
  readonly machineSecrets: talos.machine.Secrets["machineSecrets"];
  readonly clientConfiguration: talos.machine.Secrets["clientConfiguration"];

  constructor(name: string, args: MachineSecretsArgs, opts?: pulumi.ComponentResourceOptions) {
    super(tokens.machineSecrets, name, {}, opts);
    const bundle = new talos.machine.Secrets(
      `${name}-secrets`,
      { talosVersion: args.contract },
      {
        parent: this,
        protect: args.protect,
        // A refused schematic or config must stop the run before there is anything to clean up.
        dependsOn: [...args.image.proofs],
        // The provider replaces the whole bundle when this goes down: it is fixed at creation.
        ignoreChanges: ["talosVersion"],
      },
    );
    this.machineSecrets = bundle.machineSecrets;
    this.clientConfiguration = bundle.clientConfiguration;
    this.registerOutputs({});
  }
}
