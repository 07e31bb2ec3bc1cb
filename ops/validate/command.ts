import type { Command } from "commander";

import { operations } from "../../agreed/operations";
import { ConfigError, formatNote } from "../../base/faults";
import { findTalosctl } from "../clients/talosctl-offline";
import { readInput } from "../lib/input";
import { judgeConfigs, notJudged } from "./run";

/** `talos-fleet validate`: every config before the first resource is made. Exit code 2 with the faults. */
export function register(program: Command): void {
  program
    .command("validate")
    .description("let Talos judge every node's config (called by the program; input as JSON on stdin)")
    .action(async () => {
      const input = await readInput(operations.validate.input);
      const talosctl = await findTalosctl();
      if (talosctl === undefined) {
        process.stdout.write(`${formatNote(notJudged)}\n`);
        return;
      }
      const faults = await judgeConfigs(input, talosctl);
      if (faults.length > 0) throw new ConfigError(faults);
      const count = input.groups.reduce((sum, { nodes }) => sum + nodes.length, 0);
      process.stdout.write(`Talos takes the configs of all ${count} nodes\n`);
    });
}
