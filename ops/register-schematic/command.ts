import type { Command } from "commander";
import { operations } from "../../agreed/operations";
import { readInput } from "../lib/input";
import { registerSchematic } from "./run";

export function register(program: Command): void {
  program
    .command("register-schematic")
    .description(
      "make a schematic known to the Image Factory (called by the program; input as JSON on stdin)",
    )
    .action(async () => {
      process.stdout.write(
        `${await registerSchematic(await readInput(operations.registerSchematic.input))}\n`,
      );
    });
}
