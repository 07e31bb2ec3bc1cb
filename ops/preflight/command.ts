import type { Command } from "commander";
import { ConfigError, formatFault } from "../../base/faults";
import { inspectConfig, planFrom } from "../../config/resolve";
import { readStackFile } from "../../config/stack-file";
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
  const { stack, raw, readText, tokenPresent: inFile } = readStackFile(file);
  const tokenPresent = inFile || (process.env["HCLOUD_TOKEN"] ?? "") !== "";
  const inspection = inspectConfig(raw, { stack, readText, tokenPresent });
  const plan = planFrom(inspection, "preview");
  const faults = inspection.laterFaults;
  const seen = plan.platform === "docker" ? await lookAtLab(plan) : accountNotAsked(plan);
  return { file, ...seen, faults, ok: faults.length === 0 && !stops(seen.findings) };
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
