import { join } from "node:path";
import { Command } from "commander";

import { describeTool } from "../toolchain";
import { runDemo } from "./demo";
import { runPulumi } from "./run-pulumi";
import type { StackName } from "./session";
import { provideTools } from "./tools";

const STACKS: readonly StackName[] = ["lab", "hetzner"];
const root = join(__dirname, "..");

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const note = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

async function tools(): Promise<void> {
  const { pulumi, languageHost, talosctl, simnode } = await provideTools(root, say);
  for (const tool of [pulumi, languageHost, talosctl, simnode]) say(describeTool(tool));
}

async function demo(stacks: readonly string[]): Promise<void> {
  const unknown = stacks.filter((name) => !STACKS.some((stack) => stack === name));
  if (unknown.length > 0) {
    note(`${unknown.join(", ")}: is no stack of this project; the demo knows ${STACKS.join(" and ")}`);
    process.exitCode = 2;
    return;
  }
  const chosen = STACKS.filter((name) => stacks.length === 0 || stacks.includes(name));
  process.exitCode = await runDemo({ root, say, stacks: chosen });
}

async function main(): Promise<void> {
  const program = new Command("rehearsal").description(
    "Runs the whole program on loopback with nothing real behind it.",
  );
  program
    .command("tools")
    .description("builds what a rehearsal runs (pulumi, talosctl, the simulated node)")
    .action(tools);
  program
    .command("demo")
    .argument("[stack...]", "lab, hetzner (default: both)")
    .description("preview, up, an empty preview, verify, destroy")
    .action(demo);
  program
    .command("pulumi")
    .description("the built pulumi in this checkout, with stand-ins for its plugins")
    .allowUnknownOption()
    .helpOption(false)
    .argument("[args...]")
    .action(async (args: string[]) => {
      process.exitCode = await runPulumi({ root, args, note });
    });
  await program.parseAsync();
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
