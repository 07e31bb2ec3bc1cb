import type * as pulumi from "@pulumi/pulumi";
import { isOfType, TalosResource, type ResourceSpec } from "../core";
import type { input, output } from "../types";

const bootstrapSpec: ResourceSpec = {
  token: "talos:machine/bootstrap:Bootstrap",
  inputs: ["clientConfiguration", "clientConfigurationWo", "endpoint", "node", "timeouts"],
  required: ["node"],
  secretInputs: ["clientConfigurationWo"],
  computed: [],
  secretOutputs: ["clientConfigurationWo"],
};

export interface BootstrapArgs {
  /** Exactly one of this and `clientConfigurationWo`. */
  clientConfiguration?: pulumi.Input<input.machine.ClientConfiguration | undefined>;
  clientConfigurationWo?: pulumi.Input<input.machine.BootstrapClientConfigurationWo | undefined>;
  /** Where the connection goes, host or host:port; `node` when left out. */
  endpoint?: pulumi.Input<string | undefined>;
  /** The node's own address, without a port. */
  node: pulumi.Input<string>;
  timeouts?: pulumi.Input<input.machine.BootstrapTimeouts | undefined>;
}

export interface BootstrapState extends Omit<BootstrapArgs, "node"> {
  node?: pulumi.Input<string | undefined>;
}

/** Founds etcd on one control plane, once in a cluster's life; an update sends nothing. */
export class Bootstrap extends TalosResource {
  static readonly __pulumiType = bootstrapSpec.token;

  declare readonly clientConfiguration: pulumi.Output<output.machine.ClientConfiguration | undefined>;
  declare readonly clientConfigurationWo: pulumi.Output<
    output.machine.BootstrapClientConfigurationWo | undefined
  >;
  declare readonly endpoint: pulumi.Output<string>;
  declare readonly node: pulumi.Output<string>;
  declare readonly timeouts: pulumi.Output<output.machine.BootstrapTimeouts | undefined>;

  // eslint-disable-next-line max-params -- the signature of every Pulumi SDK
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: BootstrapState,
    opts?: pulumi.CustomResourceOptions,
  ): Bootstrap {
    return new Bootstrap(name, state as BootstrapArgs, { ...opts, id });
  }

  static override isInstance(value: unknown): value is Bootstrap {
    return isOfType(value, Bootstrap.__pulumiType);
  }

  constructor(name: string, args: BootstrapArgs, opts?: pulumi.CustomResourceOptions) {
    super(bootstrapSpec, { name, values: args, options: opts });
  }
}
