import type { Command } from "commander";
import { operations } from "../../agreed/operations";
import { withTalosctl } from "../clients/talosctl";
import { readInput } from "../lib/input";
import { nodeObjects } from "./node-object";
import { removeNode } from "./run";

export function register(program: Command): void {
  program
    .command("remove-node")
    .description(
      "before a node's machine goes: out of etcd, then out of Kubernetes (called by the program; input as JSON on stdin)",
    )
    .action(async () => {
      const { kubeconfig, talosconfig, ...input } = await readInput(operations.removeNode.input);
      const controlPlanes = input.controlPlanes.map((one) => ({ ...one, role: "controlplane" as const }));
      await withTalosctl(talosconfig, (talosctl) =>
        removeNode({ talosctl, node: input.node, controlPlanes, objects: nodeObjects(kubeconfig) }),
      );
    });
}
