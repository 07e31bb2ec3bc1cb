/** The command as a process: what only its entry file does. */
import { spawnSync } from "node:child_process";
import { openSync } from "node:fs";
import * as path from "node:path";

import { version } from "../../package.json";

const root = path.join(__dirname, "../..");
const call = (words: readonly string[], stdout: "pipe" | number = "pipe", input = "") =>
  spawnSync(process.execPath, [path.join(root, "bin/talos-fleet"), ...words], {
    cwd: root,
    encoding: "utf8",
    input,
    stdio: ["pipe", stdout, "pipe"],
  });

test("--version", () => {
  expect(call(["--version"])).toMatchObject({ status: 0, stdout: `${version}\n` });
});

test("output that cannot be written is one line and exit code 1", () => {
  const { status, stderr } = call(["plan", "Pulumi.lab.yaml"], openSync("/dev/full", "w"));

  expect(status).toBe(1);
  expect(stderr).toMatch(/^standard output: cannot be written \(ENOSPC.*\)\n$/);
});

test("faults that nobody can be told keep the exit code", () => {
  const { status } = spawnSync(
    process.execPath,
    [path.join(root, "bin/talos-fleet"), "check", "Pulumi.none.yaml"],
    {
      cwd: root,
      stdio: ["ignore", "pipe", openSync("/dev/full", "w")],
    },
  );

  expect(status).toBe(2);
});

test("a node that is like no other has no nearest one", () => {
  const { status, stderr } = call(["render", "Pulumi.lab.yaml", "--node", "__proto__"]);

  expect(status).toBe(2);
  expect(stderr).toBe(
    "--node: __proto__: is not the name of a node; take one of those `talos-fleet plan` lists\n",
  );
});

test.each([
  ["no JSON", "sesame"],
  ["other fields", '{"sesame": 1}'],
])("an operation that is given %s ends with 2, in one line", (_case, input) => {
  const { status, stderr } = call(["register-schematic"], "pipe", input);

  expect(status).toBe(2);
  expect(stderr).toMatch(/^standard input: [^\n]*\n$/);
});

test.each([
  ["a command", ["\u001b[31mx"]],
  ["a flag", ["check", "--\u001b[31mx"]],
])("%s that nobody knows is told in visible characters", (_case, words) => {
  const { status, stderr } = call(words);

  expect(status).toBe(2);
  expect(stderr).toContain("\\u001b[31mx");
  expect(stderr).not.toContain("\u001b");
});
