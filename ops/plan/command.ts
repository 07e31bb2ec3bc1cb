import Table from "cli-table3";
import type { Command } from "commander";

import { jsonFaults } from "../../base/faults";
import { monthlyPrice } from "../../config/prices";
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
  const price = plan.platform === "hetzner" ? { price: monthlyPrice(plan) } : {};
  return `${JSON.stringify({ ...plan, schematic: plan.schematic.source, nodes, ...price }, null, 2)}\n`;
}

function asText(plan: ClusterPlan): string {
  return `${[headLine(plan), networkLine(plan), nodeTable(plan), patchLines(plan), priceLine(plan)]
    .filter((part) => part !== "")
    .join("\n")}\n`;
}

function headLine({ name, platform, versions, schematic }: ClusterPlan): string {
  const { talos, kubernetes, contract } = versions;
  return `${name} on ${platform}: Talos ${talos}, Kubernetes ${kubernetes}, contract ${contract}, schematic ${schematic.source}`;
}

function networkLine(plan: ClusterPlan): string {
  const own =
    plan.platform === "docker"
      ? `nodes ${plan.docker.subnet}, Kubernetes API on ${plan.docker.hostAddress}:${plan.docker.kubernetesPort}`
      : `network ${plan.hetzner.network}, nodes ${plan.hetzner.nodes}${balancer(plan.hetzner)}`;
  return `${own}, pods ${plan.pods}, services ${plan.services}`;
}

function balancer({
  loadBalancerAddress: address,
  apiLoadBalancer: kind,
}: {
  loadBalancerAddress?: string;
  apiLoadBalancer: string;
}): string {
  return address === undefined ? "" : `, ${kind} load balancer ${address}`;
}

function nodeTable(plan: ClusterPlan): string {
  const own = plan.platform === "docker" ? ["talos port"] : ["type", "location", "group"];
  const table = new Table({
    head: ["node", "role", "address", ...own, "patches"],
    style: { head: [], border: [] },
  });
  const patches = patchSources(plan);
  const numbers = (node: ClusterPlan["nodes"][number]) =>
    node.patches.map(({ source }) => patches.indexOf(source) + 1).join(" ") || "-";
  const rows =
    plan.platform === "docker"
      ? plan.nodes.map((node) => [node.name, node.role, node.address, String(node.talosPort), numbers(node)])
      : plan.nodes.map((node) => [
          ...[node.name, node.role, node.address, node.serverType],
          ...[node.location, node.group, numbers(node)],
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
    ...sources.map((source, index) => `  ${index + 1}  ${source}`),
  ].join("\n");
}

function priceLine(plan: ClusterPlan): string {
  if (plan.platform === "docker") return "";
  const { net, since, unknown } = monthlyPrice(plan);
  return net === undefined
    ? `price: no listed price for ${unknown.join(", ")} (table of ${since})`
    : `price: ${net.toFixed(2)} EUR a month without VAT (prices since ${since})`;
}
