/** The life of a lab, step by step. Each needs what it names; the last one always runs. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { kubernetesClient } from "../../ops/clients/kubernetes";
import type { RunResult } from "../../rehearsal/session";
import { containersOf, everythingOf, removed } from "./engine";
import { OWN_CLUSTER, withPatch } from "./given";
import { NotTried, type Step } from "./report";
import type { RealRig } from "./rig";

const UP = ["up", "--yes", "--skip-preview", "--skip-plugin-pre-install"];
const CANARY = "c4n4ry-of-test-real";
const MARKS = "/api/v1/namespaces/default/configmaps";
/** Live on any node: none of it needs a reboot. */
const LIVE = {
  machine: {
    kubelet: { extraArgs: { "image-gc-high-threshold": "84" } },
    sysctls: { "net.ipv4.tcp_keepalive_time": "601" },
    nodeLabels: { "example.net/test-real": "live" },
  },
};
/** `machine.env` needs a reboot, and the proxy's password is nobody's to see. */
const REFUSED = { machine: { env: { https_proxy: `http://me:${CANARY}@192.0.2.1:3128` } } };

export interface LifeOptions {
  /** A shell command that restarts the engine. */
  readonly engineRestart: string | undefined;
}

const lastLines = (text: string, count = 15): string => text.trim().split("\n").slice(-count).join("\n");

function mustWork(what: string, { code, stdout, stderr }: RunResult): string {
  if (code === 0) return stdout;
  throw new Error(`${what} ended with code ${code}\n${lastLines(stdout)}\n${lastLines(stderr)}`);
}

export const lifeSteps = (rig: RealRig, options: LifeOptions): Step[] => [
  { name: "preflight", after: [], run: () => preflight(rig) },
  { name: "up", after: ["preflight"], run: () => firstUp(rig) },
  { name: "verify", after: ["up"], run: () => verified(rig) },
  { name: "second up is empty", after: ["up"], run: () => emptyUp(rig) },
  { name: "live patch", after: ["verify"], run: () => livePatch(rig) },
  ...refusalSteps(rig),
  { name: "killed container", after: ["verify"], run: () => healed(rig, "killed", rig.plan.nodes.at(-1)) },
  { name: "removed container", after: ["verify"], run: () => healed(rig, "removed", rig.plan.nodes[0]) },
  { name: "engine restart", after: ["verify"], run: () => engineRestart(rig, options) },
  { name: "down to nothing", after: [], run: () => down(rig) },
  ...rig.standIns.map(({ name, reason }) => ({ name, after: [], run: () => untried(reason) })),
];

const untried = (reason: string): Promise<string> => Promise.reject(new NotTried(reason));

async function preflight(rig: RealRig): Promise<string> {
  const { stdout } = await sweptBefore(rig, () => rig.fleet(["preflight", "Pulumi.lab.yaml"]));
  const lines = stdout.trim().split("\n");
  if (lines.some((line) => line.startsWith("stop"))) throw new Error(`\`up\` would fail:\n${stdout.trim()}`);
  return lines.at(-1) ?? "nothing was said";
}

/** An earlier run that was killed may have left something; nobody else uses our cluster's name. */
async function sweptBefore<T>(rig: RealRig, work: () => Promise<T>): Promise<T> {
  if ((await everythingOf(rig.docker)).length > 0)
    mustWork("down", await rig.fleet(["down", "--stack", "lab"]));
  return work();
}

async function firstUp(rig: RealRig): Promise<string> {
  const out = mustWork("pulumi up", await rig.pulumi(UP));
  const { status } = await (await api(rig)).post(MARKS, { metadata: { name: "mark" }, data: { of: CANARY } });
  if (status !== 201) throw new Error(`the cluster takes no ConfigMap: status ${status}`);
  return /Resources:\s*(.*)/.exec(out)?.[1] ?? lastLines(out, 1);
}

const api = async (rig: RealRig): Promise<ReturnType<typeof kubernetesClient>> =>
  kubernetesClient(String((await rig.session.outputs({ showSecrets: true }))["kubeconfig"]));

interface VerifyReport {
  readonly checks: readonly { what: string; expected: string; seen: string; result: string }[];
}

/** Services restart and settle: asked again until the plan's own limit for nodes. */
async function verified(rig: RealRig): Promise<string> {
  const until = Date.now() + rig.plan.limits.nodesReady * 1000;
  for (let tries = 1; ; tries += 1) {
    const { stdout, stderr, code } = await rig.fleet(["verify", "--stack", "lab", "--json"]);
    if (stdout.trim() === "") throw new Error(`verify ended with code ${code}\n${lastLines(stderr)}`);
    const { checks } = JSON.parse(stdout) as VerifyReport;
    const bad = checks.filter(({ result }) => result === "FAIL");
    const rest = checks.filter(({ result }) => result === "not tried");
    if (bad.length === 0) {
      const named = rest.map(({ what, seen }) => `\n  not tried: ${what}: ${seen}`).join("");
      return `${checks.length - rest.length} of ${checks.length} pass at try ${tries}${named}`;
    }
    if (Date.now() > until)
      throw new Error(
        `${bad.length} of ${checks.length} fail\n${bad.map(({ what, expected, seen }) => `  ${what}: expected ${expected}, seen ${seen}`).join("\n")}`,
      );
    await pause(5000);
  }
}

async function emptyUp(rig: RealRig): Promise<string> {
  mustWork(
    "pulumi preview",
    await rig.pulumi(["preview", "--expect-no-changes", "--skip-plugin-pre-install"]),
  );
  const out = mustWork("pulumi up", await rig.pulumi([...UP, "--expect-no-changes"]));
  return /\d+ unchanged/.exec(out)?.[0] ?? "nothing changed";
}

async function livePatch(rig: RealRig): Promise<string> {
  const before = await containersOf(rig.docker);
  rig.writeConfig(patched(rig));
  mustWork("pulumi up", await rig.pulumi(UP));
  const after = await containersOf(rig.docker);
  if (JSON.stringify(after) !== JSON.stringify(before)) throw new Error("a container was started anew");
  return `a kubelet argument, a sysctl and a label, without a restart; verify: ${await verified(rig)}`;
}

const patched = (rig: RealRig) => withPatch(rig.config, "all", LIVE);

/** What the refusal printed is judged apart: the lab is as it was, whatever was shown. */
function refusalSteps(rig: RealRig): Step[] {
  const said = { text: "" };
  const hidden = (): Promise<string> =>
    said.text.includes(CANARY)
      ? Promise.reject(
          new Error("the password in the refused change is shown (the node's diff, by the provider)"),
        )
      : Promise.resolve("the password in the refused change is not shown");
  return [
    { name: "refused change", after: ["verify"], run: () => refusedChange(rig, said) },
    { name: "secret in a refusal", after: ["refused change"], run: hidden },
  ];
}

async function refusedChange(rig: RealRig, said: { text: string }): Promise<string> {
  const before = await containersOf(rig.docker);
  const good = patched(rig);
  rig.writeConfig(withPatch(good, "all", REFUSED));
  const { code, stdout, stderr } = await rig.pulumi(UP);
  rig.writeConfig(good);
  said.text = `${stdout}\n${stderr}`;
  if (code === 0) throw new Error("machine.env, which needs a reboot, was accepted");
  if (!/machine\.env|immediate mode/.test(said.text))
    throw new Error(`refused for another reason:\n${lastLines(said.text).replaceAll(CANARY, "***")}`);
  if (JSON.stringify(await containersOf(rig.docker)) !== JSON.stringify(before))
    throw new Error("a container was touched");
  mustWork("pulumi up without it", await rig.pulumi(UP));
  return "machine.env: refused, no node touched; without it `up` works";
}

/** As `make up` mends it. */
async function healed(
  rig: RealRig,
  how: "killed" | "removed",
  node: { readonly name: string } | undefined,
): Promise<string> {
  if (node === undefined) throw new NotTried("because there is no such node");
  const container = rig.docker.getContainer(node.name);
  await (how === "killed" ? container.kill() : removed(container));
  mustWork("pulumi up --refresh", await rig.pulumi([...UP, "--refresh"]));
  const seen = await verified(rig);
  return `${node.name} is back, ${await markKept(rig)}; verify: ${seen}`;
}

async function markKept(rig: RealRig): Promise<string> {
  const { status } = await (await api(rig)).get(`${MARKS}/mark`);
  if (status !== 200) throw new Error(`the cluster's data is gone: status ${status}`);
  return "the cluster's data is kept";
}

async function engineRestart(rig: RealRig, { engineRestart: command }: LifeOptions): Promise<string> {
  if (command === undefined)
    return untried("because no command for it was given: ENGINE_RESTART='sudo systemctl restart docker'");
  execFileSync("/bin/sh", ["-c", command], { stdio: "inherit" });
  const seen = await verified(rig);
  const kept = await markKept(rig);
  return `all nodes are back, ${kept}; ${await emptyUp(rig)}; verify: ${seen}`;
}

async function down(rig: RealRig): Promise<string> {
  mustWork("recover", await rig.fleet(["recover", "--stack", "lab"]));
  const destroyed = await rig.pulumi([
    "destroy",
    "--yes",
    "--skip-preview",
    "--skip-plugin-pre-install",
    "--refresh",
  ]);
  mustWork("down", await rig.fleet(["down", "--stack", "lab"]));
  mustWork("pulumi destroy", destroyed);
  const left = [
    ...(await everythingOf(rig.docker)),
    ...filesIn(join(rig.session.project, ".lab")),
    ...filesIn(rig.session.env["HOME"] ?? ""),
  ];
  if (left.length > 0) throw new Error(`left: ${left.join(", ")}`);
  return `nothing of ${OWN_CLUSTER} on the engine, no file`;
}

const filesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
