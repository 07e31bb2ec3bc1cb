import type { Command } from "commander";

import { nearest } from "../../base/nearest";
import { resolveConfig } from "../../config/resolve";
import { encrypted } from "../../config/raw";
import { readStackFile } from "../../config/stack-file";
import type { ClusterPlan } from "../../config/types";
import { patchesFor } from "../../machine/patches";
import { findTalosctl } from "../clients/talosctl-offline";
import { BadInput } from "../lib/bad-input";
import { clusterOf, patchSources } from "../../machine/configs-input";
import { withRenderer } from "./render";

/** `talos-fleet render STACK-FILE --node NAME`: that node's config. Exit code 2 when the file has faults or there is no such node. */
export function register(program: Command): void {
  program
    .command("render")
    .description("print a node's final machine config, made offline with throw-away secrets (needs talosctl)")
    .argument("<stack-file>", "Pulumi.STACK.yaml")
    .requiredOption("--node <name>", "the node's name, as `plan` shows it")
    .action(async (file: string, { node }: { readonly node: string }) => {
      const { stack, raw, readText } = readStackFile(file);
      const plan = resolveConfig(raw, { stack, readText, phase: "preview" });
      process.stdout.write(await configOf(plan, node));
      if (JSON.stringify(raw).includes(encrypted)) {
        process.stderr.write(`values that are secret in ${file} stand as ${encrypted}\n`);
      }
    });
}

/** @throws BadInput without such a node or without talosctl; Error with talosctl's words when Talos refuses the config. */
export async function configOf(plan: ClusterPlan, name: string): Promise<string> {
  const node = plan.nodes.find((other) => other.name === name);
  if (node === undefined) throw new BadInput(unknownNode(plan, name));
  const talosctl = await findTalosctl();
  if (talosctl === undefined) {
    throw new BadInput(
      'talosctl: not found: Talos\' own generator makes the config; install it as "make doctor" says, or set TALOSCTL to its path',
    );
  }
  const sources = patchSources(plan);
  return withRenderer(clusterOf(plan, sources), talosctl, async ({ render }) => {
    const rendered = await render(node.role, patchesFor(node, sources));
    if (rendered.ok) return rendered.text();
    throw new Error(`${name}: Talos refuses the config; \`talos-fleet check\` says which patch it is`);
  });
}

function unknownNode({ nodes }: ClusterPlan, name: string): string {
  const names = nodes.map((node) => node.name);
  const near = nearest(name, names);
  const repair = near === undefined ? "take one of those" : `the nearest is ${near}, and`;
  return `--node: ${name}: is not the name of a node; ${repair} \`talos-fleet plan\` lists${near === undefined ? "" : " them"}`;
}
