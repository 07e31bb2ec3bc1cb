import type * as pulumi from "@pulumi/pulumi";
import { isOfType, TalosResource, type ResourceSpec } from "../core";
import type { input, output } from "../types";

const configurationApplySpec: ResourceSpec = {
  token: "talos:machine/configurationApply:ConfigurationApply",
  inputs: [
    "applyMode",
    "clientConfiguration",
    "clientConfigurationWo",
    "configPatches",
    "endpoint",
    "machineConfigurationInput",
    "machineConfigurationInputWo",
    "node",
    "onDestroy",
    "timeouts",
  ],
  required: ["node"],
  secretInputs: ["clientConfigurationWo", "machineConfigurationInput", "machineConfigurationInputWo"],
  computed: ["machineConfiguration", "machineConfigurationHash", "resolvedApplyMode"],
  secretOutputs: [
    "clientConfigurationWo",
    "machineConfiguration",
    "machineConfigurationInput",
    "machineConfigurationInputWo",
  ],
};

export interface ConfigurationApplyArgs {
  /** `auto` (default), `reboot`, `no_reboot`, `staged` or `staged_if_needing_reboot`. */
  applyMode?: pulumi.Input<string | undefined>;
  /** Exactly one of this and `clientConfigurationWo`. */
  clientConfiguration?: pulumi.Input<input.machine.ClientConfiguration | undefined>;
  clientConfigurationWo?: pulumi.Input<input.machine.ConfigurationApplyClientConfigurationWo | undefined>;
  configPatches?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /** Where the connection goes, host or host:port; `node` when left out. */
  endpoint?: pulumi.Input<string | undefined>;
  /** Exactly one of this and `machineConfigurationInputWo`. */
  machineConfigurationInput?: pulumi.Input<string | undefined>;
  machineConfigurationInputWo?: pulumi.Input<string | undefined>;
  /** The node's own address, without a port. */
  node: pulumi.Input<string>;
  onDestroy?: pulumi.Input<input.machine.ConfigurationApplyOnDestroy | undefined>;
  timeouts?: pulumi.Input<input.machine.Timeout | undefined>;
}

export interface ConfigurationApplyState extends Omit<ConfigurationApplyArgs, "node"> {
  machineConfiguration?: pulumi.Input<string | undefined>;
  machineConfigurationHash?: pulumi.Input<string | undefined>;
  node?: pulumi.Input<string | undefined>;
  resolvedApplyMode?: pulumi.Input<string | undefined>;
}

/** Sends a node its machine config, at creation and on every update; returns when the node has accepted it. */
export class ConfigurationApply extends TalosResource {
  static readonly __pulumiType = configurationApplySpec.token;

  declare readonly applyMode: pulumi.Output<string>;
  declare readonly clientConfiguration: pulumi.Output<output.machine.ClientConfiguration | undefined>;
  declare readonly clientConfigurationWo: pulumi.Output<
    output.machine.ConfigurationApplyClientConfigurationWo | undefined
  >;
  declare readonly configPatches: pulumi.Output<string[] | undefined>;
  declare readonly endpoint: pulumi.Output<string>;
  declare readonly machineConfiguration: pulumi.Output<string>;
  declare readonly machineConfigurationHash: pulumi.Output<string>;
  declare readonly machineConfigurationInput: pulumi.Output<string | undefined>;
  declare readonly machineConfigurationInputWo: pulumi.Output<string | undefined>;
  declare readonly node: pulumi.Output<string>;
  declare readonly onDestroy: pulumi.Output<output.machine.ConfigurationApplyOnDestroy | undefined>;
  declare readonly resolvedApplyMode: pulumi.Output<string>;
  declare readonly timeouts: pulumi.Output<output.machine.Timeout | undefined>;

  // eslint-disable-next-line max-params -- the signature of every Pulumi SDK
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ConfigurationApplyState,
    opts?: pulumi.CustomResourceOptions,
  ): ConfigurationApply {
    return new ConfigurationApply(name, state as ConfigurationApplyArgs, { ...opts, id });
  }

  static override isInstance(value: unknown): value is ConfigurationApply {
    return isOfType(value, ConfigurationApply.__pulumiType);
  }

  constructor(name: string, args: ConfigurationApplyArgs, opts?: pulumi.CustomResourceOptions) {
    super(configurationApplySpec, { name, values: args, options: opts });
  }
}
