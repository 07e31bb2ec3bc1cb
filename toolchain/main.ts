import { delimiter, dirname, join } from "node:path";
import { Command } from "commander";

import { describeTool, languageHostOf, providePulumi, provideTalosctl } from "./index";
import type { Tool } from "./index";

const root = join(__dirname, "..");

/** Progress goes to standard error: standard output is for what was asked. */
const note = (line: string): void => void process.stderr.write(`${line}\n`);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function provideBoth(): Promise<{ pulumi: Tool; talosctl: Tool }> {
  const talosctl = await provideTalosctl(root, note);
  return { pulumi: await providePulumi(root, note), talosctl };
}

async function tools(): Promise<void> {
  const { pulumi, talosctl } = await provideBoth();
  for (const tool of [pulumi, languageHostOf(pulumi), talosctl]) say(describeTool(tool));
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** For `eval`: whether plugins can be had too depends on where pulumi came from. */
async function shell(): Promise<void> {
  const { pulumi, talosctl } = await provideBoth();
  const path = [dirname(pulumi.path), dirname(talosctl.path), process.env["PATH"] ?? ""].join(delimiter);
  say(`export PATH=${quoted(path)}`);
  say(`pulumi_origin=${pulumi.origin}`);
}

async function main(): Promise<void> {
  const program = new Command("toolchain").description(
    "Finds pulumi and talosctl, or builds them from their published Go modules.",
  );
  program.command("tools").description("finds or builds them and says which they are").action(tools);
  program
    .command("shell")
    .description("prints PATH and pulumi_origin (installed or built) for a shell to eval")
    .action(shell);
  await program.parseAsync();
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
