import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { parse } from "yaml";
import { ConfigError, type Fault, formatFault } from "../../base/faults";
import { inspectConfig, resolveConfig, type ResolveIo } from "../../config/resolve";
import { readStackFile, type StackFile } from "../../config/stack-file";
import type { ClusterPlan, DockerClusterPlan } from "../../config/types";
import { engineFromHere } from "../platforms/docker/engine";
import { type Finding, stops } from "./finding";
import { gatherLabFacts, labWishes } from "../platforms/docker/preflight/gather";
import { judgeLab, noEngine } from "../platforms/docker/preflight/judge";
import { type Preflight, preflightText } from "./report";
import { messageOf } from "../../base/text";

/** `talos-fleet preflight STACK-FILE`: exit code 1 when something would stop `up`. */
export function register(program: Command): void {
  program
    .command("preflight")
    .description("what the machine or the account lacks, before anything is created")
    .argument("<stack-file>", "Pulumi.STACK.yaml")
    .option("--json", "print the findings as JSON")
    .action(async (file: string, options: { readonly json?: true }) => {
      const report = await preflight(file);
      process.stdout.write(
        options.json === true ? `${JSON.stringify(report, null, 2)}\n` : preflightText(report),
      );
      if (!report.ok) process.exitCode = 1;
    });
}

async function preflight(file: string): Promise<Preflight> {
  const stackFile = readStackFile(file);
  const tokenPresent = hasToken(file);
  const plan = resolveConfig(stackFile.raw, io(stackFile, "preview", tokenPresent));
  const faults = beforeUp(stackFile, tokenPresent);
  const seen = plan.platform === "docker" ? await lookAtLab(plan) : accountNotAsked(plan);
  return { file, ...seen, faults, ok: faults.length === 0 && !stops(seen.findings) };
}

const io = ({ stack, readText }: StackFile, phase: ResolveIo["phase"], tokenPresent: boolean): ResolveIo => ({
  stack,
  readText,
  phase,
  tokenPresent,

});

/** What the stack file lacks for `up` alone. */
function beforeUp(stackFile: StackFile, tokenPresent: boolean): Fault[] {
  const faultsIn = (phase: ResolveIo["phase"]) =>
    inspectConfig(stackFile.raw, io(stackFile, phase, tokenPresent)).faults;
  const now = new Set(faultsIn("preview").map(formatFault));
  return faultsIn("up").filter((fault) => !now.has(formatFault(fault)));
}

/** The token itself may be encrypted; that it is there can be seen. */
function hasToken(file: string): boolean {
  const { config } = parse(readFileSync(file, "utf8")) as { config?: Record<string, unknown> | null };
  return config?.["hcloud:token"] !== undefined || (process.env["HCLOUD_TOKEN"] ?? "") !== "";
}

type Seen = Pick<Preflight, "about" | "findings">;

async function lookAtLab(plan: DockerClusterPlan): Promise<Seen> {
  const wishes = labWishes(plan);
  try {
    const engine = engineFromHere(plan.docker);
    const findings = judgeLab(await gatherLabFacts(plan, engine), wishes);
    return { about: `Docker engine ${engine.host} (${engine.from})`, findings };
  } catch (error) {
    const seen = error instanceof ConfigError ? error.faults.map(formatFault).join("; ") : messageOf(error);
    return { about: "Docker engine: none could be chosen", findings: [noEngine(seen)] };
  }
}

/** Nothing is asked of Hetzner yet: only what the stack file and this machine show. */
function accountNotAsked(plan: ClusterPlan): Seen {
  const findings: Finding[] = [];
  return {
    about: `Hetzner account of ${plan.name}: looked at the stack file and for a token; the account itself (limits, server types, capacity) is not asked`,
    findings,
  };
}
