/** What the program itself calls, called by hand with something else: bad input, exit code 2. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { operations } from "../../agreed/operations";

jest.setTimeout(60_000);

const root = join(__dirname, "../..");
const words = [...new Set(Object.values(operations).map((call) => call.words))];

const run = (call: string, input: string) =>
  spawnSync(process.execPath, ["bin/talos-fleet", ...call.split(" ")], {
    cwd: root,
    input,
    encoding: "utf8",
  });

test.each(words)("%s", (call) => {
  const cut = run(call, '{"talosconfig": "canary');
  expect([cut.status, cut.stdout]).toEqual([2, ""]);
  expect(cut.stderr).toMatch(/^standard input: is not JSON/);
  expect(cut.stderr).not.toContain("canary");

  const misspelt = run(call, '{"talosconfigg": "canary"}');
  expect(misspelt.status).toBe(2);
  expect(misspelt.stderr).toMatch(
    /^standard input: .*the program and the command are of different versions\n$/,
  );
  expect(misspelt.stderr).not.toContain("canary");
});
