import type { Command } from "commander";
import { z } from "zod";
import { readInput } from "../../agreed/operations/input";
import { registerSchematic } from "../register-schematic";

const input = z.object({ factoryUrl: z.string(), id: z.string(), text: z.string() });

export function register(program: Command): void {
  program
    .command("register-schematic")
    .description(
      "make a schematic known to the Image Factory (called by the program; input as JSON on stdin)",
    )
    .action(async () => {
      process.stdout.write(`${await registerSchematic(await readInput(input))}\n`);
    });
}
