/** The `talos-fleet` command. Exit codes: 0 ok, 1 the answer is no or it failed, 2 bad input. */
import { Command, CommanderError } from "commander";

import { version } from "../../package.json";
import { messageOf } from "../../base/text";
import { printableLines } from "../../base/show";
import { commands } from "./commands";

const FAILED = 1;
const BAD_INPUT = 2;

/** With the one sub-command that is called, or with all of them where help may be wanted. */
async function program(called: string | undefined): Promise<Command> {
  const root = new Command("talos-fleet")
    .description("Talos Linux clusters as one Pulumi program: what works on stack files and on live machines")
    .version(version)
    // It tells what was typed; sub-commands take this over.
    .configureOutput({ writeErr: (text) => process.stderr.write(printableLines(text)) })
    .exitOverride();
  const one = commands.get(called ?? "");
  for (const load of one === undefined ? commands.values() : [one]) (await load()).register(root);
  return root;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : BAD_INPUT;
  if (error instanceof Error && "exitCode" in error && typeof error.exitCode === "number")
    return error.exitCode;
  return error instanceof Error && error.name === "ConfigError" ? BAD_INPUT : FAILED;
}

async function main(argv: readonly string[]): Promise<void> {
  try {
    await (await program(argv[2])).parseAsync([...argv]);
  } catch (error) {
    process.exitCode = exitCodeOf(error);
    if (error instanceof CommanderError) return;
    process.stderr.write(`${printableLines(messageOf(error))}\n`);
  }
}

// `| head` closes the pipe early: nobody reads on, and that is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") return;
  process.exitCode = FAILED;
  process.stderr.write(`standard output: cannot be written (${error.message})\n`);
});

// Where nobody can be told, the exit code still tells.
process.stderr.on("error", () => undefined);

void main(process.argv);
