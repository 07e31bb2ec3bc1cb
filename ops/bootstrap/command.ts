import type { Command } from "commander";
import { operations } from "../../agreed/operations";
import { withTalosctl } from "../clients/talosctl";
import { readInput } from "../lib/input";
import { liveMachines } from "../platforms/select";
import { contextOf } from "../wait/run";
import { explained } from "../waits/explain";
import { foundEtcd } from "./run";

export function register(program: Command): void {
  program
    .command("bootstrap")
    .description("found etcd once on the first control plane (called by the program; input as JSON on stdin)")
    .action(async () => {
      const { talosconfig, limits, ...input } = await readInput(operations.bootstrap.input);
      const controlPlanes = input.controlPlanes.map((node) => ({ ...node, role: "controlplane" as const }));
      const machines = liveMachines(input.machines, { talosconfig, nodes: controlPlanes });
      const context = contextOf(
        machines,
        controlPlanes.map(({ name }) => name),
      );
      await explained({ machines, nodes: controlPlanes }, () =>
        withTalosctl(talosconfig, (talosctl) => foundEtcd({ talosctl, controlPlanes, limits }, context)),
      );
    });
}
