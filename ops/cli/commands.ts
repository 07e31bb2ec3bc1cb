import type { Command } from "commander";

interface CommandModule {
  register(program: Command): void;
}

/**
 * Every sub-command by name, in the order of the help: for people first, then what the program itself calls. Loaded when it
 * is called: the program calls several in one run, and each start is time that people wait.
 */
export const commands: ReadonlyMap<string, () => Promise<CommandModule>> = new Map([
  ["schematic", async () => import("../commands/schematic")],
  ["check", async () => import("../commands/check")],
  ["plan", async () => import("../commands/plan")],
  ["preflight", async () => import("../commands/preflight")],
  ["verify", async () => import("../commands/verify")],
  ["recover", async () => import("../commands/recover")],
  ["down", async () => import("../commands/down")],
  ["register-schematic", async () => import("../commands/register-schematic")],
  ["bootstrap", async () => import("../commands/bootstrap")],
  ["wait", async () => import("../commands/wait")],
  ["write-access", async () => import("../commands/write-access")],
]);
