import type { Command } from "commander";
import { z } from "zod";
import { foundEtcd } from "../found-etcd";
import { limitsInput, nodeInput, readInput } from "../lib/input";
import { withTalosctl } from "../lib/talosctl";

const input = z.object({
  talosconfig: z.string(),
  controlPlanes: z.array(nodeInput).min(1),
  limits: limitsInput,
});

export function register(program: Command): void {
  program
    .command("bootstrap")
    .description("found etcd once on the first control plane (called by the program; input as JSON on stdin)")
    .action(async () => {
      const { talosconfig, controlPlanes, limits } = await readInput(input);
      await withTalosctl(talosconfig, (talosctl) => foundEtcd({ talosctl, controlPlanes, limits }));
    });
}
