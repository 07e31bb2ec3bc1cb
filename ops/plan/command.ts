import Table from "cli-table3";
import type { Command } from "commander";

import { jsonFaults } from "../../base/faults";
import { jsonText, printable, printableLines } from "../../base/show";
import { platformView } from "../../config/platforms/select";
import type { PlanView } from "../../config/platforms/slice";
import { resolveConfig } from "../../config/resolve";
import { readStackFile } from "../../config/stack-file";
import type { ClusterPlan } from "../../config/types";

/** `talos-fleet plan STACK-FILE`: the resolved plan. Throws ConfigError when the file has faults. */
export function register(program: Command): void {
  program
    .command("plan")
    .description(
      "show what a stack file stands for: nodes, addresses, groups or ports, patches in order, monthly price",
    )
    .argument("<stack-file>", "Pulumi.STACK.yaml")
    .option("--json", "print the plan as JSON; the patches' contents stay out, for they may hold secrets")
    .action((file: string, options: { readonly json?: true }) => {
      try {
        const plan = planOf(file);
        process.stdout.write(options.json === true ? asJson(plan) : asText(plan));
      } catch (error) {
        if (options.json !== true) throw error;
        process.stdout.write(jsonFaults(error));
        process.exitCode = 2;
      }
    });
}

function planOf(file: string): ClusterPlan {
  const { stack, raw, readText } = readStackFile(file);
  return resolveConfig(raw, { stack, readText, phase: "preview" });
}

function asJson(plan: ClusterPlan): string {
  const nodes = plan.nodes.map((node) => ({ ...node, patches: node.patches.map(({ source }) => source) }));
  return jsonText({ ...plan, schematic: plan.schematic.source, nodes, ...platformView(plan).json });
}

function asText(plan: ClusterPlan): string {
  const view = platformView(plan);
  const network = `${view.network}, pods ${plan.pods}, services ${plan.services}`;
  const parts = [headLine(plan), network, nodeTable(plan, view), patchLines(plan), ...view.lines];
  return printableLines(`${parts.filter((part) => part !== "").join("\n")}\n`);
}

function headLine({ name, platform, versions, schematic }: ClusterPlan): string {
  const { talos, kubernetes, contract } = versions;
  return `${name} on ${platform}: Talos ${talos}, Kubernetes ${kubernetes}, contract ${contract}, schematic ${printable(schematic.source)}`;
}

function nodeTable(plan: ClusterPlan, { columns, cells }: PlanView): string {
  const table = new Table({
    head: ["node", "role", "address", ...columns, "patches"],
    style: { head: [], border: [] },
  });
  const numbers = new Map(patchSources(plan).map((source, index) => [source, index + 1]));
  const rows = plan.nodes.map(({ name, role, address, patches }, index) => [
    ...[name, role, address, ...(cells[index] ?? [])],
    patches.map(({ source }) => numbers.get(source)).join(" ") || "-",
  ]);
  table.push(...rows);
  return table.toString();
}

function patchSources({ nodes }: ClusterPlan): string[] {
  return [...new Set(nodes.flatMap(({ patches }) => patches.map(({ source }) => source)))];
}

function patchLines(plan: ClusterPlan): string {
  const sources = patchSources(plan);
  if (sources.length === 0) return "";
  return [
    "patches, merged in the order of each node's row:",
    ...sources.map((source, index) => `  ${index + 1}  ${printable(source)}`),
  ].join("\n");
}
