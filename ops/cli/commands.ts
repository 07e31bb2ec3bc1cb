import type { Command } from "commander";

interface CommandModule {
  register(program: Command): void;
}

/**
 * Every sub-command by name, in the order of the help: for people first, then what the program itself calls. Loaded when it
 * is called: the program calls several in one run, and each start is time that people wait.
 */
export const commands: ReadonlyMap<string, () => Promise<CommandModule>> = new Map([
  ["schematic", async () => import("../schematic/command")],
  ["check", async () => import("../check/command")],
  ["plan", async () => import("../plan/command")],
  ["render", async () => import("../render/command")],
  ["preflight", async () => import("../preflight/command")],
  ["verify", async () => import("../verify/command")],
  ["recover", async () => import("../recover/command")],
  ["down", async () => import("../down/command")],
  ["validate", async () => import("../validate/command")],
  ["register-schematic", async () => import("../register-schematic/command")],
  ["bootstrap", async () => import("../bootstrap/command")],
  ["wait", async () => import("../wait/command")],
  ["remove-node", async () => import("../remove-node/command")],
  ["write-access", async () => import("../write-access/command")],
]);
