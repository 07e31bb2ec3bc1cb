/** `bin/lab` in a folder of its own, with stand-ins for all that it calls: what it calls, in which order, and what it leaves. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

jest.setTimeout(30_000);

const root = join(__dirname, "../..");
let folder: string;

/** Stands for `tsx toolchain/main.ts` and `tsx rehearsal/main.ts`: as pulumi it leaves a kubeconfig in its temp folder, as the real plugin does. */
const TSX = `#!/usr/bin/env bash
if [ "$2" = shell ]; then echo "PATH=$PWD:\$PATH; pulumi_origin=built"; exit; fi
echo "pulumi $3 timeout=$PULUMI_K8S_CLIENT_TIMEOUT mode=$(stat -c %a "$TMPDIR") $TMPDIR" >>calls
touch "$TMPDIR/kubeconfig1"
[ ! -f hang ] || { touch started; sleep 20 & wait $!; }
[ ! -f fails ] || exit 3
`;
const FLEET = `require("node:fs").appendFileSync("calls", "fleet " + process.argv.slice(2).join(" ") + "\\n");`;

function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  chmodSync(join(folder, path), mode);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lab-script-"));
  mkdirSync(join(folder, "bin"));
  copyFileSync(join(root, "bin/lab"), join(folder, "bin/lab"));
  write("node_modules/.bin/tsx", TSX, 0o755);
  write("bin/talos-fleet", FLEET);
  for (const tool of ["pulumi", "talosctl"]) write(tool, "#!/bin/sh\n", 0o755);
  write("Pulumi.lab.yaml", "config: {}\n");
  write(".lab/state/.pulumi/stacks/talos-fleet/lab.json", "{}");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const calls = (): string[] => readFileSync(join(folder, "calls"), "utf8").trim().split("\n");
const temp = (): string[] =>
  existsSync(join(folder, ".lab/tmp")) ? readdirSync(join(folder, ".lab/tmp")) : [];
const lab = (action: string) => spawnSync("bash", ["bin/lab", action], { cwd: folder, encoding: "utf8" });

const own = (call: string): RegExp =>
  new RegExp(`^pulumi ${call} timeout=120 mode=700 ${folder}/\\.lab/tmp/\\d+$`);

test("up: pulumi has a temp folder of its own, which goes, and time for an API server that has just started", () => {
  expect(lab("up").status).toBe(0);
  expect(calls()).toEqual([
    "fleet preflight Pulumi.lab.yaml",
    "fleet recover --stack lab",
    expect.stringMatching(own("up")),
  ]);
  expect(existsSync(join(folder, ".lab/tmp"))).toBe(false);
});

test("down: killed first, then out of the state, then what is left and the files", () => {
  expect(lab("down").status).toBe(0);
  expect(calls()).toEqual([
    "fleet recover --stack lab",
    "fleet down --stack lab --containers",
    expect.stringMatching(own("destroy")),
    "fleet down --stack lab",
  ]);
  expect(existsSync(join(folder, ".lab/tmp"))).toBe(false);
});

test("a run that fails keeps its exit code and leaves nothing", () => {
  write("fails", "");
  expect(lab("up").status).toBe(3);
  expect(temp()).toEqual([]);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s leaves nothing either", async (signal, code) => {
  write("hang", "");
  // As the terminal does it: the whole group is told.
  const child = spawn("bash", ["bin/lab", "up"], { cwd: folder, stdio: "ignore", detached: true });
  const ended = once(child, "exit");
  while (!existsSync(join(folder, "started"))) await new Promise((resolve) => setTimeout(resolve, 25));
  expect(temp()).toHaveLength(1);
  process.kill(-child.pid!, signal);
  expect((await ended)[0]).toBe(code);
  expect(temp()).toEqual([]);
});

test("what a run left that was killed outright goes with the next one; a living one's stays", () => {
  const { pid } = spawnSync("true");
  write(`.lab/tmp/${pid}/kubeconfig9`, "x");
  write(`.lab/tmp/${process.pid}/kubeconfig9`, "x");
  expect(lab("up").status).toBe(0);
  expect(temp()).toEqual([String(process.pid)]);
});
