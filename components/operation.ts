import * as command from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";

export interface OperationArgs {
  /**
   * The `talos-fleet` call on creation, such as `bootstrap`; nothing unless given. No absolute path: another clone must
   * preview empty.
   */
  readonly call?: string;
  /** Goes in as JSON on standard input, so that nothing secret stands in an argument. */
  readonly input: pulumi.Inputs;
  /** What to run when the input changes; nothing unless given. */
  readonly onChange?: string;
  /** What to run before the resource goes. */
  readonly onDelete?: string;
  /** Runs the operation anew when one of these changes. */
  readonly triggers?: readonly pulumi.Input<unknown>[];
}

const NOTHING = "exit 0";

/** An operation of `ops/` as a resource: runs at `up`, prints as it goes, and is idempotent by contract. */
export function operation(
  name: string,
  args: OperationArgs,
  opts: pulumi.CustomResourceOptions,
): command.local.Command {
  const run = (call: string) => `node bin/talos-fleet ${call}`;
  return new command.local.Command(
    name,
    {
      create: args.call === undefined ? NOTHING : run(args.call),
      update: args.onChange === undefined ? NOTHING : run(args.onChange),
      ...(args.onDelete === undefined ? {} : { delete: run(args.onDelete) }),
      ...(args.triggers === undefined ? {} : { triggers: [...args.triggers] }),
      stdin: pulumi.secret(pulumi.output(args.input).apply((input) => JSON.stringify(input))),
    },
    opts,
  );
}
