/**
 * `npx tsx bench/lab.ts [ROUNDS] [--json]`: the lab against `talosctl cluster create docker`, in turn, waits included; same
 * engine, image, versions, nodes. Images are present and nodes simulated: the way is measured, not Talos. Exit code 1: slower.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

import { startRealEngine } from "../rehearsal/real-docker-engine";
import type { RunResult } from "../rehearsal/session";
import { openRealLab, provideNodeImages } from "../rehearsal/session/real-lab";
import type { RealLab } from "../rehearsal/session/real-lab-stack";
import { provideTools } from "../rehearsal/tools";
import { median } from "./statistics";

const root = resolve(__dirname, "..");
const json = process.argv.includes("--json");
const rounds = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? "5");
const LIMIT = 1;

/** The version of the talosctl that this checkout builds: its `cluster create` takes no other image for granted. */
const TALOS = "v1.13.9";
const KUBERNETES = "1.35.8";
const THEIRS = "theirs";

const note = (line: string): void => void process.stderr.write(`${line}\n`);

interface Contest {
  readonly lab: RealLab;
  readonly host: string;
  /** For talosctl's files. */
  readonly folder: string;
}

async function must(what: string, run: Promise<RunResult>): Promise<void> {
  const { code, stdout, stderr } = await run;
  if (code !== 0) throw new Error(`${what} failed:\n${stdout}${stderr}`);
}

async function seconds(work: Promise<void>): Promise<number> {
  const started = performance.now();
  await work;
  return (performance.now() - started) / 1000;
}

async function ours({ lab }: Contest): Promise<number> {
  const time = await seconds(must("pulumi up", lab.up("lab")));
  await must("pulumi destroy", lab.destroy("lab"));
  return time;
}

async function theirs({ lab, host, folder }: Contest): Promise<number> {
  const env = {
    DOCKER_HOST: host,
    TALOSCONFIG: join(folder, "talosconfig"),
    KUBECONFIG: join(folder, "kubeconfig"),
  };
  const name = ["--name", THEIRS, "--state", join(folder, "clusters")];
  const same = ["--subnet", "10.7.0.0/24", "--kubernetes-version", KUBERNETES];
  const image = ["--image", `ghcr.io/siderolabs/talos:${TALOS}`];
  const create = ["cluster", "create", "docker", ...name, ...same, ...image];
  const time = await seconds(must("talosctl cluster create", lab.talosctl(create, env)));
  await must("talosctl cluster destroy", lab.talosctl(["cluster", "destroy", ...name], env));
  rmSync(env.KUBECONFIG, { force: true });
  rmSync(env.TALOSCONFIG, { force: true });
  return time;
}

function report(times: { readonly ours: readonly number[]; readonly theirs: readonly number[] }): number {
  const medians = { ours: median(times.ours), theirs: median(times.theirs) };
  const ratio = medians.ours / medians.theirs;
  if (json)
    process.stdout.write(`${JSON.stringify({ rounds, seconds: medians, ratio, limit: LIMIT, times })}\n`);
  process.stdout.write(
    `lab: ${medians.ours.toFixed(1)} s, talosctl cluster create docker: ${medians.theirs.toFixed(1)} s, ` +
      `ratio ${ratio.toFixed(2)} (limit ${LIMIT}), medians of ${rounds} rounds in turn\n`,
  );
  return ratio;
}

async function rate(contest: Contest): Promise<void> {
  // The first of each warms caches and is not counted.
  await ours(contest);
  await theirs(contest);
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let round = 1; round <= rounds; round += 1) {
    const [a, b] = [await ours(contest), await theirs(contest)];
    note(`round ${round}: lab ${a.toFixed(1)} s, talosctl ${b.toFixed(1)} s`);
    times.ours.push(a);
    times.theirs.push(b);
  }
  if (report(times) > LIMIT) process.exitCode = 1;
}

async function main(): Promise<void> {
  const tools = await provideTools(root, note);
  const folder = mkdtempSync("/tmp/tf-bench-");
  const engine = await startRealEngine({ dir: join(folder, "e") });
  try {
    await provideNodeImages(engine.host, tools, [TALOS]);
    const overrides = { "talos-fleet:talosVersion": TALOS, "talos-fleet:kubernetesVersion": KUBERNETES };
    const lab = await openRealLab({ root, tools, host: engine.host, overrides });
    try {
      await rate({ lab, host: engine.host, folder });
    } finally {
      await lab.close();
    }
  } finally {
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  note(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
