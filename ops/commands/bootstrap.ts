import type { Command } from "commander";
import { z } from "zod";
import { foundEtcd } from "../found-etcd";
import { explained } from "../docker/explain";
import { labSurroundings } from "../docker/stopped";
import { nodeLogs } from "../docker/logs";
import { engineInput, limitsInput, nodeInput, readInput } from "../../agreed/operations/input";
import { withTalosctl } from "../lib/talosctl";

const input = z.object({
  talosconfig: z.string(),
  controlPlanes: z.array(nodeInput).min(1),
  limits: limitsInput,
  engine: engineInput.optional(),
});

export function register(program: Command): void {
  program
    .command("bootstrap")
    .description("found etcd once on the first control plane (called by the program; input as JSON on stdin)")
    .action(async () => {
      const { talosconfig, controlPlanes, limits, engine } = await readInput(input);
      const names = controlPlanes.map(({ name }) => name);
      await explained(nodeLogs(engine), () =>
        withTalosctl(talosconfig, (talosctl) =>
          foundEtcd({ talosctl, controlPlanes, limits }, labSurroundings(engine, names)),
        ),
      );
    });
}
