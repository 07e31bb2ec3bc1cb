/**
 * `make test-real`: the life of a lab on the Docker engine at hand, with the real Talos image and whatever plugins are
 * installed. STACK_FILE names the stack file (default: the lab's). Works in a folder and under a cluster name of its own.
 */
import { join, resolve } from "node:path";
import { exitCode, runSteps, summary } from "./report";
import { BadStackFile, openRig, type RealRig } from "./rig";
import { lifeSteps } from "./steps";

const root = resolve(__dirname, "../..");
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const setting = (name: string): string | undefined =>
  process.env[name] === "" ? undefined : process.env[name];

function needs({ plan, engine, session }: RealRig): string {
  const { docker, nodes } = plan;
  const ports = [...nodes.map(({ talosPort }) => talosPort), docker.kubernetesPort].join(", ");
  return [
    `engine     ${engine}`,
    `image      ${docker.image} (the engine pulls it when it has none)`,
    `nodes      ${nodes.length}, each ${docker.cpus} CPUs and ${docker.memory} MiB, network ${docker.subnet}`,
    `ports      ${ports} of ${docker.hostAddress}`,
    `versions   Talos ${plan.versions.talos}, Kubernetes ${plan.versions.kubernetes}`,
    `plugins    real: ${session.realPlugins.join(", ") || "none"}`,
    `log        ${session.log}`,
  ].join("\n");
}

async function main(): Promise<number> {
  const file = setting("STACK_FILE") ?? join(root, "Pulumi.lab.yaml");
  say(`make test-real: ${file}`);
  const rig = await openRig(root, file, say);
  try {
    say(needs(rig));
    const steps = lifeSteps(rig, { engineRestart: setting("ENGINE_RESTART") });
    const outcomes = await runSteps(steps, { say, now: () => performance.now() });
    say(summary(outcomes));
    if (exitCode(outcomes) !== 0) say(`the log is kept: ${rig.session.keepLog()}`);
    return exitCode(outcomes);
  } finally {
    await rig.close();
  }
}

main()
  .then((code) => {
    process.exitCode = code;
  })
  .catch((error: unknown) => {
    const bad = error instanceof BadStackFile || (error instanceof Error && error.name === "ConfigError");
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = bad ? 2 : 1;
  });
