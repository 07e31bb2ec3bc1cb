import { delimiter, dirname, join } from "node:path";
import { Command } from "commander";

import { runDemo } from "./demo";
import { runPulumi } from "./run-pulumi";
import type { StackName } from "./session";
import { providePulumi, provideTalosctl, provideTools } from "../toolchain";
import type { Tool } from "../toolchain";

const STACKS: readonly StackName[] = ["lab", "hetzner"];
const root = join(__dirname, "..");

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const note = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const describe = ({ name, version, path, origin }: Tool): string =>
  `${name.padEnd(24)} ${version.padEnd(16)} ${origin === "built" ? "built here" : "installed"}  ${path}`;

async function tools(): Promise<void> {
  const { pulumi, languageHost, talosctl, simnode } = await provideTools(root, say);
  for (const tool of [pulumi, languageHost, talosctl, simnode]) say(describe(tool));
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

/** Folders with `pulumi` and `talosctl`, to go in front of PATH. */
async function path(): Promise<void> {
  const pulumi = await providePulumi(root, note);
  const talosctl = await provideTalosctl(root, note);
  say([dirname(pulumi.path), dirname(talosctl.path)].join(delimiter));
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
    .command("path")
    .description("the same but for the simulated node; prints what to put in front of PATH")
    .action(path);
  program
    .command("demo")
    .argument("[stack...]", "lab, hetzner (default: both)")
    .description("preview, up, an empty preview, verify, destroy")
    .action(demo);
  program
    .command("pulumi")
    .description(
      "pulumi in this checkout: the installed one, or the built one with stand-ins for its plugins",
    )
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
