import * as command from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { Call } from "../agreed/operations";

export interface OperationArgs<Schema extends z.ZodType> {
  /** The call on creation; nothing unless given. */
  readonly onCreate?: Call<Schema>;
  /** What to run when the input changes; nothing unless given. */
  readonly onChange?: Call<Schema>;
  /** What to run before the resource goes. */
  readonly onDelete?: Call<Schema>;
  /** Goes in as JSON on standard input, so that nothing secret stands in an argument. */
  readonly input: Fields<z.input<Schema>>;
  /** Runs the operation anew when one of these changes. */
  readonly triggers?: readonly pulumi.Input<unknown>[];
  /** Without a call on creation: a text that becomes this resource's first answer, which a later call is told. */
  readonly answer?: pulumi.Input<string>;
}

/** Every field by name, each known now or later. */
type Fields<Input> = { readonly [Key in keyof Input]: pulumi.Input<Input[Key]> };

const NOTHING = "exit 0";

/**
 * An operation of `ops/` as a resource: runs at `up`, prints as it goes, and is idempotent by contract. No absolute path
 * stands in its text: another clone must preview empty.
 */
export function operation<Schema extends z.ZodType>(
  name: string,
  args: OperationArgs<Schema>,
  opts: pulumi.CustomResourceOptions,
): command.local.Command {
  const { onCreate, onChange, onDelete, triggers } = args;
  const answer = args.answer === undefined ? NOTHING : pulumi.interpolate`echo ${args.answer}`;
  return new command.local.Command(
    name,
    {
      create: onCreate === undefined ? answer : run(onCreate),
      update: onChange === undefined ? NOTHING : run(onChange),
      ...(onDelete === undefined ? {} : { delete: run(onDelete) }),
      ...(triggers === undefined ? {} : { triggers: [...triggers] }),
      stdin: pulumi.secret(pulumi.output(args.input).apply((input) => JSON.stringify(input))),
    },
    opts,
  );
}

const run = ({ words }: Call<z.ZodType>): string => `node bin/talos-fleet ${words}`;
