/** Files that are read, and what only looks like one: a check that reads a named pipe would wait for ever. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import * as path from "node:path";

const root = path.join(__dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "talos-fleet-"));
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string) => path.join(folder, name);

/** In a process of its own, which can be ended while it waits. */
function check(name: string) {
  const words = [path.join(root, "bin/register.cjs"), path.join(root, "ops/cli/main.ts"), "check", at(name)];
  const env = { ...process.env, TALOSCTL: at("none") };
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", ...words], {
    encoding: "utf8",
    timeout: 30_000,
    env,
  });
  return { status, said: `${stdout}${stderr}` };
}

function stackFile(name: string, more: string): void {
  const text = `config:
  talos-fleet:platform: docker
  talos-fleet:talosVersion: v1.13.10
  talos-fleet:kubernetesVersion: 1.36.4
  talos-fleet:talosContract: v1.13
  talos-fleet:controlPlanes: { count: 1 }
${more}`;
  writeFileSync(at(name), text);
}

const plain = "  talos-fleet:schematic: { customization: {} }\n";

test("a named pipe, a socket and a device are no patches, and links to files are", async () => {
  execFileSync("mkfifo", [at("pipe.yaml")]);
  symlinkSync("pipe.yaml", at("to-pipe.yaml"));
  writeFileSync(at("real.yaml"), "machine: { sysctls: { vm.swappiness: '1' } }\n");
  symlinkSync("real.yaml", at("to-file.yaml"));
  const server = createServer().listen(at("socket.yaml"));
  await new Promise((resolve) => server.once("listening", resolve));
  const listed = "pipe.yaml, to-pipe.yaml, socket.yaml, /dev/null, to-file.yaml";
  stackFile("Pulumi.patches.yaml", `${plain}  talos-fleet:patches: { all: [${listed}] }\n`);

  const { status, said } = check("Pulumi.patches.yaml");
  server.close();

  expect(status).toBe(1);
  expect(said.match(/patches\.all.*$/gm)).toEqual([
    "patches.all[0]: pipe.yaml: is a named pipe and no regular file; write a file",
    "patches.all[1]: to-pipe.yaml: is a named pipe and no regular file; write a file",
    "patches.all[2]: socket.yaml: is a socket and no regular file; write a file",
    "patches.all[3]: /dev/null: is a device and no regular file; write a file",
  ]);
});

test("a named pipe is no schematic", () => {
  execFileSync("mkfifo", [at("schematic.yaml")]);
  stackFile("Pulumi.schematic.yaml", "  talos-fleet:schematic: schematic.yaml\n");

  const { status, said } = check("Pulumi.schematic.yaml");

  expect(status).toBe(1);
  expect(said).toContain("schematic: schematic.yaml: is a named pipe and no regular file; write a file");
});

test("a named pipe is no stack file", () => {
  execFileSync("mkfifo", [at("Pulumi.pipe.yaml")]);

  const { status, said } = check("Pulumi.pipe.yaml");

  expect(status).toBe(2);
  expect(said).toMatch(
    /stack file: .*: cannot be read \(it is a named pipe\); give the path of a stack file/,
  );
});
