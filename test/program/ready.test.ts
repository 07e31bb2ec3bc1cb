/** What makes the last wait run again. Under mocks. */
import { runProgram } from "../support/program";

test("a machine that was made again is a reason to wait for the cluster anew", async () => {
  const { world } = await runProgram("lab");
  const { update, stdin } = world.find("command:local:Command", "lab-ready").inputs;
  const { nodes } = JSON.parse(String(stdin)) as { nodes: { name: string; machine?: string }[] };
  const triggers = world.find("command:local:Command", "lab-bootstrap").inputs["triggers"];

  expect(update).toBe("node bin/talos-fleet wait ready");
  expect(nodes.map(({ machine }) => machine).slice(0, 1)).toEqual(triggers);
  expect(new Set(nodes.map(({ machine }) => machine)).size).toBe(nodes.length);
});
