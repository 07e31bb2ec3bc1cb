/** The pieces that all sections of the schema are made of. */
import { z } from "zod";

import { cidrProblem, cidrRepair } from "../base/addresses";
import { encrypted } from "./raw";

/** Messages read `rule; repair`: draft.ts splits them into the two halves of a fault. */
export const says = (rule: string, repair: string) => ({ error: `${rule}; ${repair}` });

const knownKeysPrefix = "known keys:";

/** A strict object whose complaint about an unknown key carries the keys it knows. */
export function strict<Shape extends z.core.$ZodLooseShape>(shape: Shape, example = "key: value") {
  const known = `${knownKeysPrefix}${Object.keys(shape).join(",")}`;
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === "unrecognized_keys" ? known : `must be a mapping; write \`${example}\` under it`,
  });
}

/** The keys carried by a complaint of `strict`. */
export function knownKeysOf(message: string): readonly string[] | undefined {
  return message.startsWith(knownKeysPrefix) ? message.slice(knownKeysPrefix.length).split(",") : undefined;
}

/** What is encrypted is no name or address of anything; draft.ts words that fault. */
export const text = (what: string) =>
  z
    .string(says(`must be ${what}`, `write ${what} as text`))
    .min(1, says("is empty", `write ${what}`))
    .refine((value) => value !== encrypted);
export const wholeNumber = (from: number, to: number) => {
  const error = ({ input }: { readonly input?: unknown }) => {
    const isQuoted =
      typeof input === "string" && /^\d+$/.test(input) && Number(input) >= from && Number(input) <= to;
    const repair = isQuoted ? "write it without quotes" : `set one from ${from} to ${to}`;
    return `must be a whole number from ${from} to ${to}; ${repair}`;
  };
  return z.int({ error }).min(from, { error }).max(to, { error });
};
export const cidr = (family: "ipv4" | "any") =>
  z.string(says("must be a CIDR", "write it like 10.0.0.0/16")).superRefine((value, context) => {
    const problem = cidrProblem(value, family);
    if (problem !== undefined) {
      context.addIssue({
        code: "custom",
        message: `${problem}; ${cidrRepair(value, family)}`,
      });
    }
  });
export const version = (example: string) =>
  z
    .string(says("must be a version", `write it like ${example}`))
    .regex(
      /^v?(0|[1-9]\d{0,5})(\.(0|[1-9]\d{0,5})){2}(-[0-9A-Za-z.-]+)?$/,
      says("is not a version X.Y.Z", `write it like ${example}`),
    );

export const flag = z
  .union([z.boolean(), z.enum(["true", "false"])], says("must be true or false", "write one of the two"))
  .transform((value) => value === true || value === "true");
