/** The registration is told that the schematic is secret; where it is not, its input stays what it was. */
import { runProgram } from "../support/program";

afterEach(() => {
  delete process.env["PULUMI_CONFIG_SECRET_KEYS"];
});

async function registration(secretKeys: readonly string[]): Promise<Record<string, unknown>> {
  // As the language host gives it to a program.
  process.env["PULUMI_CONFIG_SECRET_KEYS"] = JSON.stringify(secretKeys);
  const { world } = await runProgram("lab");
  const { stdin } = world.find("command:local:Command", "lab-schematic").inputs;
  return JSON.parse(String(stdin)) as Record<string, unknown>;
}

test("a schematic that the stack file keeps secret is registered as such", async () => {
  expect(await registration(["talos-fleet:schematic"])).toMatchObject({ secret: true });
});

test("one that is not has no such field, so that nothing is registered anew", async () => {
  const input = await registration(["talos-fleet:patches"]);
  expect(Object.keys(input)).toEqual(["factoryUrl", "id", "text"]);
});
