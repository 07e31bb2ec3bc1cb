import type { Command } from "commander";
import { foundEtcd } from "./run";
import { explained } from "../waits/explain";
import { labSurroundings } from "../platforms/docker/stopped";
import { nodeLogs } from "../platforms/docker/logs";
import { operations } from "../../agreed/operations";
import { readInput } from "../lib/input";
import { withTalosctl } from "../clients/talosctl";

export function register(program: Command): void {
  program
    .command("bootstrap")
    .description("found etcd once on the first control plane (called by the program; input as JSON on stdin)")
    .action(async () => {
      const { talosconfig, limits, engine, ...input } = await readInput(operations.bootstrap.input);
      const controlPlanes = input.controlPlanes.map((node) => ({ ...node, role: "controlplane" as const }));
      const names = controlPlanes.map(({ name }) => name);
      await explained(nodeLogs(engine), () =>
        withTalosctl(talosconfig, (talosctl) =>
          foundEtcd({ talosctl, controlPlanes, limits }, labSurroundings(engine, names)),
        ),
      );
    });
}
