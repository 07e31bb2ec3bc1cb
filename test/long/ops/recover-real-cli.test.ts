/** Recovering a state that the real Pulumi CLI keeps, through the real command. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import type { Session } from "../../../rehearsal/session";
import { openSession } from "../../../rehearsal/session";
import { runCommand } from "../../../rehearsal/session/run";
import { type Rig, startRig } from "../../../rehearsal/test/docker-engine/support";
import { pulumiOnly, programRoot } from "../../../rehearsal/test/session/program-root";

jest.setTimeout(120_000);

const checkout = resolve(__dirname, "../../..");
const PROJECT = "trivial";
const LABELS = { "talos.owned": "true", "talos.cluster.name": "lab" };

let rig: Rig;
let session: Session;
let project: { root: string; remove: () => void };

beforeAll(async () => {
  rig = await startRig();
  const config = {
    "talos-fleet:platform": "docker",
    "talos-fleet:talosVersion": "v1.13.10",
    "talos-fleet:kubernetesVersion": "1.35.8",
    "talos-fleet:talosContract": "v1.13",
    "talos-fleet:schematic": { customization: {} },
    "talos-fleet:controlPlanes": { count: 1 },
    "talos-fleet:workers": [{ name: "worker", count: 1 }],
    "talos-fleet:docker": { host: rig.engine.host },
  };
  project = programRoot(
    'const pulumi = require("@pulumi/pulumi"); exports.hidden = pulumi.secret("PRIVATE");',
    config,
  );
  const world = async () => ({
    overrides: {},
    secrets: {},
    leftovers: () => [],
    servePlugins: async () => ({ debugProviders: "", stop: async () => undefined }),
    stop: async () => undefined,
  });
  session = await openSession({ stack: "lab", root: project.root, tools: await pulumiOnly() }, world);
});

afterAll(async () => {
  await session.close();
  project.remove();
  await rig.end();
});

const backend = (): string => session.env["PULUMI_BACKEND_URL"]!.replace("file://", "");

const talosFleet = (...args: string[]) =>
  runCommand({
    command: process.execPath,
    args: [join(checkout, "bin/talos-fleet"), ...args],
    cwd: session.project,
    env: session.env,
  });

/** What SIGKILL in the middle of creates leaves in a state. (An import would drop it.) */
function leavePending(...resources: object[]): void {
  const file = join(backend(), ".pulumi/stacks", PROJECT, "lab.json");
  const state = JSON.parse(readFileSync(file, "utf8")) as { checkpoint: { latest: object } };
  const pending = resources.map((resource) => ({ type: "creating", resource }));
  const latest = { ...state.checkpoint.latest, pending_operations: pending };
  writeFileSync(file, JSON.stringify({ ...state, checkpoint: { ...state.checkpoint, latest } }));
}

function volume(name: string): object {
  const type = "docker:index/volume:Volume";
  return { urn: `urn:pulumi:lab::${PROJECT}::${type}::${name}`, custom: true, type, inputs: { name } };
}

/** What a killed run leaves beside the state: a lock, and a sidecar file that was cut short. */
async function leaveLock(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  const locks = join(backend(), ".pulumi/locks/organization", PROJECT, "lab");
  mkdirSync(locks, { recursive: true });
  const content = { pid: child.pid, username: "me", hostname: hostname(), timestamp: "2026-11-30T12:00:00Z" };
  writeFileSync(join(locks, "b0b0.json"), JSON.stringify(content));
  writeFileSync(join(backend(), ".pulumi/stacks", PROJECT, "lab.json.attrs"), "");
  return child.pid!;
}

test("a killed run: lock, cut-short sidecar and pending creates go, and the next up works", async () => {
  expect(await session.up()).toMatchObject({ code: 0 });
  leavePending(volume("lab-worker-1-opt"), volume("lab-worker-1-var"));
  await rig.call("POST", "/volumes/create", { Name: "lab-worker-1-opt", Labels: LABELS });
  const pid = await leaveLock();
  const broken = await session.up();
  expect(broken.code).not.toBe(0);
  expect(broken.stdout + broken.stderr).toContain("failed to load checkpoint: EOF");

  const recovered = await talosFleet("recover", "--stack", "lab");
  expect(recovered.stderr).toBe("");
  expect(recovered.stdout.trimEnd().split("\n")).toEqual([
    "stack lab: stacks/trivial/lab.json.attrs was cut short by a kill: removed",
    `stack lab: lock of pid ${pid} on ${hostname()} since 2026-11-30T12:00:00Z, which has ended: cleared`,
    "creating lab-worker-1-opt (docker:index/volume:Volume): removed volume lab-worker-1-opt",
    "creating lab-worker-1-var (docker:index/volume:Volume): nothing left (no volume lab-worker-1-var)",
    "stack lab: 2 pending operations cleared",
  ]);
  expect(recovered.code).toBe(0);
  expect(rig.engine.world.volumes.size).toBe(0);
  const { deployment } = (await session.exportState()) as { deployment: Record<string, unknown> };
  expect(deployment["pending_operations"] ?? []).toEqual([]);
  expect(await session.up()).toMatchObject({ code: 0 });
  expect(await session.outputs({ showSecrets: true })).toEqual({ hidden: "PRIVATE" });
  expect(readdirSync(join(backend(), ".pulumi/locks/organization", PROJECT, "lab"))).toEqual([]);
});

test("what nobody can be asked about stays in the state, and the next up still works", async () => {
  const urn = `urn:pulumi:lab::${PROJECT}::kubernetes:core/v1:ConfigMap::lab-record`;
  const metadata = { name: "talos-fleet", namespace: "kube-system" };
  leavePending({
    urn,
    custom: true,
    type: "kubernetes:core/v1:ConfigMap",
    inputs: { apiVersion: "v1", kind: "ConfigMap", metadata },
  });
  const recovered = await talosFleet("recover", "--stack", "lab");
  expect(recovered).toMatchObject({ code: 0, stderr: "" });
  expect(recovered.stdout.trimEnd().split("\n")).toEqual([
    "creating lab-record (kubernetes:core/v1:ConfigMap): ConfigMap kube-system/talos-fleet may be left: the Kubernetes API does not answer; `up` tells if it is in the way",
    "stack lab: 1 of 1 are open: the entries stay in the state; repeat when the cause is gone",
  ]);
  expect(await session.up()).toMatchObject({ code: 0 });
  leavePending();
});

test("nothing pending: it says so and changes nothing", async () => {
  const state = await session.exportState();
  expect(await talosFleet("recover", "--stack", "lab")).toEqual({
    code: 0,
    stdout: "stack lab: no pending operations: nothing to recover\n",
    stderr: "",
  });
  expect(await session.exportState()).toEqual(state);
});

test("a stack that this folder does not have is bad input", async () => {
  const wrong = await talosFleet("recover", "--stack", "lab2");
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain("--stack: lab2: there is no Pulumi.lab2.yaml in ");
  expect(await talosFleet("down", "--stack", "../x")).toMatchObject({
    code: 2,
    stderr: "--stack: ../x: is not a stack's name\n",
  });
});

test("verify of a stack without a cluster says what to run", async () => {
  expect(await talosFleet("verify", "--stack", "lab")).toMatchObject({
    code: 1,
    stderr:
      'stack lab: has no outputs kubeconfig, talosconfig and nodes: no run has finished yet; run "pulumi up --stack lab"\n',
  });
});

test("down removes by label, then .lab/", async () => {
  await rig.call("POST", "/volumes/create", { Name: "lab-worker-1-opt", Labels: LABELS });
  mkdirSync(join(session.project, ".lab"), { recursive: true });
  writeFileSync(join(session.project, ".lab/kubeconfig"), "x");
  expect(await talosFleet("down", "--stack", "lab")).toEqual({
    code: 0,
    stdout: `Docker engine ${rig.engine.host} (docker.host)\nvolume lab-worker-1-opt: removed\n.lab/: removed\n`,
    stderr: "",
  });
  expect(existsSync(join(session.project, ".lab"))).toBe(false);
});
