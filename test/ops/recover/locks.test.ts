import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Pulumi } from "../../../ops/clients/pulumi";
import { clearStaleLocks } from "../../../ops/recover/clear-locks";
import { backendFolder, locksOf } from "../../../ops/recover/locks";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "locks-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As the file backend writes it. */
function lock(pid: number, host = hostname()): void {
  const locks = join(folder, ".pulumi/locks/organization/talos-fleet/lab");
  mkdirSync(locks, { recursive: true });
  const content = { pid, username: "me", hostname: host, timestamp: "2026-11-30T12:00:00Z" };
  writeFileSync(join(locks, `${pid}.json`), JSON.stringify(content));
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid!;
}

async function clear(): Promise<{ calls: string[]; lines: string[] }> {
  const calls: string[] = [];
  const lines: string[] = [];
  const pulumi: Pulumi = async (args) => {
    calls.push(args.join(" "));
    return { ok: true, stdout: JSON.stringify({ url: `file://${folder}` }), stderr: "" };
  };
  await clearStaleLocks({ stack: "lab", project: "talos-fleet", pulumi, print: (line) => lines.push(line) });
  return { calls: calls.slice(1), lines };
}

test("no lock: nothing to do", async () => {
  expect(await clear()).toEqual({ calls: [], lines: [] });
});

test("the lock of a process that has ended is cleared", async () => {
  const pid = await deadPid();
  lock(pid);
  expect(await clear()).toEqual({
    calls: ["cancel --yes"],
    lines: [
      `stack lab: lock of pid ${pid} on ${hostname()} since 2026-11-30T12:00:00Z, which has ended: cleared`,
    ],
  });
});

test("the lock of a living process is not, and neither is a dead one beside it", async () => {
  lock(await deadPid());
  lock(process.pid);
  await expect(clear()).rejects.toThrow(
    `stack lab: pid ${process.pid} on ${hostname()} since 2026-11-30T12:00:00Z: a run is under way, and what it does is no leftover; wait for its end`,
  );
});

test("a lock from another machine cannot be judged from here", async () => {
  lock(1, "elsewhere");
  await expect(clear()).rejects.toThrow(
    'stack lab: pid 1 on elsewhere since 2026-11-30T12:00:00Z: cannot be asked from here whether it lives; if it has ended, run "pulumi cancel --stack lab"',
  );
});

test("sidecar files that a kill has cut short go, whole ones and other stacks' stay", async () => {
  const stacks = join(folder, ".pulumi/stacks/talos-fleet");
  mkdirSync(stacks, { recursive: true });
  const files = { "lab.json": "{}", "lab.json.attrs": "", "lab.json.bak.attrs": "{}", "lab2.json.attrs": "" };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(stacks, name), text);
  expect((await clear()).lines).toEqual([
    "stack lab: stacks/talos-fleet/lab.json.attrs was cut short by a kill: removed",
  ]);
  expect(readdirSync(stacks).sort()).toEqual(["lab.json", "lab.json.bak.attrs", "lab2.json.attrs"]);
});

test("beside a living run nothing is mended", async () => {
  lock(process.pid);
  const sidecar = join(folder, ".pulumi/locks/organization/talos-fleet/lab", "x.json.attrs");
  writeFileSync(sidecar, "");
  await expect(clear()).rejects.toThrow("a run is under way");
  expect(existsSync(sidecar)).toBe(true);
});

test("only this stack's locks count", () => {
  lock(process.pid);
  expect(locksOf(folder, "talos-fleet", "lab2")).toEqual([]);
  expect(locksOf(folder, "other", "lab")).toEqual([]);
  expect(locksOf(folder, "talos-fleet", "lab")).toHaveLength(1);
});

test.each([
  ["file:///srv/state", "/srv/state"],
  ["file:///srv/my%20state", "/srv/my state"],
  ["file://~", "/home/me"],
  ["file://~/state", "/home/me/state"],
  ["file://./.lab/state", "./.lab/state"],
  ["https://api.pulumi.com", undefined],
  ["s3://bucket", undefined],
])("the backend %s has its locks in %s", (url, expected) => {
  expect(backendFolder(url, "/home/me")).toBe(expected);
});
