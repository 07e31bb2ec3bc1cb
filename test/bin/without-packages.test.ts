import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const checkout = resolve(__dirname, "../..");

/** A clone in which nobody has run npm ci, with what a lab left in it. */
let clone: string;
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), "tf-clone-"));
  for (const name of ["bin", "Makefile", "Pulumi.lab.yaml", "package-lock.json"])
    cpSync(join(checkout, name), join(clone, name), { recursive: true });
  mkdirSync(join(clone, ".lab"));
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

test.each(["up", "verify", "down"])("bin/lab %s says what is missing", (action) => {
  const { status, stderr } = spawnSync(join(clone, "bin/lab"), [action], { cwd: clone, encoding: "utf8" });
  expect(stderr).toBe(
    "node_modules: the npm packages are missing: make up, verify and down install them; by hand: npm ci\n",
  );
  expect(status).toBe(1);
});

test.each(["up", "verify", "down"])("make %s installs it first", (target) => {
  const { stdout } = spawnSync("make", ["--dry-run", target], { cwd: clone, encoding: "utf8" });
  expect(stdout).toMatch(new RegExp(`npm ci .*\\n(.*\\n)*bin/lab ${target}$`, "m"));
});

test("talos-fleet says what is missing", () => {
  const { status, stderr } = spawnSync(process.execPath, [join(clone, "bin/talos-fleet"), "check", "x"], {
    cwd: clone,
    encoding: "utf8",
  });
  expect(stderr).toBe("node_modules: the npm packages are missing: npm ci installs them\n");
  expect(status).toBe(1);
});
