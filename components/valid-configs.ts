import * as pulumi from "@pulumi/pulumi";
import { type ConfigsInput, operations } from "../agreed/operations";
import { operation } from "./operation";
import { tokens } from "./tokens";

export interface ValidConfigsArgs {
  /** What the configs are rendered from: `configsInput` of the plan. */
  readonly input: ConfigsInput;
  /** Settles once the run may change anything. */
  readonly allowed: pulumi.Output<true>;
}

/** Lets Talos itself judge every node's config, with throw-away secrets, before the first of them is made. */
export class ValidConfigs extends pulumi.ComponentResource {
  readonly judged: pulumi.Resource;

  constructor(name: string, args: ValidConfigsArgs, opts?: pulumi.ComponentResourceOptions) {
    super(tokens.validConfigs, name, {}, opts);
    this.judged = operation(
      `${name}-validate`,
      {
        onCreate: operations.validate,
        onChange: operations.validate,
        input: args.input,
      },
      // No value flows from what was allowed: it settles, or ends the run.
      { parent: this, dependsOn: args.allowed.apply((): pulumi.Resource[] => []) },
    );
    this.registerOutputs({});
  }
}
