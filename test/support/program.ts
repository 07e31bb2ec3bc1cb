/** Runs the literal program under mocks, in a module registry of its own. */
import type * as mocks from "./mocks";
import { answers } from "./answers";
import { stackKeys } from "./plans";

export type Outputs = Record<string, unknown>;

/** `extra` holds full keys (`talos-fleet:docker`, `hcloud:token`) on top of the committed stack file. */
export async function runProgram(
  stack: "lab" | "hetzner",
  extra: Record<string, unknown> = {},
  run: { preview?: boolean } = {},
): Promise<{ world: mocks.MockWorld; outputs: Outputs }> {
  jest.resetModules();
  const own = Object.entries(stackKeys(stack)).map(([key, value]) => [`talos-fleet:${key}`, value] as const);
  const settings: Record<string, unknown> = { ...Object.fromEntries(own), ...extra };
  const config = Object.entries(settings).map(([key, value]) => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const { runtime } = await import("@pulumi/pulumi");
  const { mockPulumi, drain } = await import("./mocks");
  runtime.setAllConfig(Object.fromEntries(config) as Record<string, string>, ["hcloud:token"]);
  const world = await mockPulumi(answers, { stack, ...run });
  const outputs = (await import("../../index")) as unknown as Outputs;
  await drain();
  return { world, outputs: { ...outputs } };
}
