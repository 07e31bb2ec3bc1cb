/** The stack's outputs, as far as verify needs them. Secret: never printed. */
import { z } from "zod";
import { answerOf, type Pulumi } from "../clients/pulumi";
import { BadInput } from "../lib/bad-input";

const outputs = z.looseObject({
  kubeconfig: z.string(),
  talosconfig: z.string(),
  nodes: z.record(z.string(), z.looseObject({ address: z.string(), talosEndpoint: z.string() })),
});

export type StackAccess = z.infer<typeof outputs>;

/** @throws when the stack does not exist, or has no cluster (yet). */
export async function readAccess(pulumi: Pulumi, stack: string): Promise<StackAccess> {
  const text = await answerOf(pulumi, ["stack", "output", "--json", "--show-secrets"]);
  if (text === undefined)
    throw new BadInput(`--stack: ${stack}: there is no such stack; "pulumi up" makes one`);
  const parsed = outputs.safeParse(unlessBroken(text));
  if (parsed.success) return parsed.data;
  throw new Error(
    `stack ${stack}: has no outputs kubeconfig, talosconfig and nodes: no run has finished yet; run "pulumi up --stack ${stack}"`,
  );
}

/** An error of the parser would show a piece of the text. */
function unlessBroken(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
