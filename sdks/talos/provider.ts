import * as pulumi from "@pulumi/pulumi";
import { isOfType, packageDefaults } from "./core";

export interface ProviderArgs {
  /** Base URL of the Image Factory; `https://factory.talos.dev` when left out. */
  imageFactoryUrl?: pulumi.Input<string | undefined>;
}

export interface TerraformConfigResult {
  readonly result: Record<string, unknown>;
}

/** An explicit provider instance; also carries `talos:imageFactoryUrl` when given here. */
export class Provider extends pulumi.ProviderResource {
  static readonly __pulumiType = "talos";

  declare readonly imageFactoryUrl: pulumi.Output<string | undefined>;

  static override isInstance(value: unknown): value is Provider {
    return isOfType(value, "pulumi:providers:talos");
  }

  constructor(name: string, args: ProviderArgs = {}, opts: pulumi.ResourceOptions = {}) {
    super(
      Provider.__pulumiType,
      name,
      { imageFactoryUrl: args.imageFactoryUrl },
      pulumi.mergeOptions(packageDefaults(), opts),
    );
  }

  /** The provider's configuration as Terraform would take it. */
  terraformConfig(): pulumi.Output<TerraformConfigResult> {
    return pulumi.runtime.call("pulumi:providers:talos/terraformConfig", { __self__: this }, this);
  }
}
