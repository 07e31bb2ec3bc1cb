import type { Command } from "commander";

import { formatFault, formatNote, jsonFaults, shown } from "../../base/faults";
import type { Fault, Note } from "../../base/faults";
import { jsonText, printable } from "../../base/show";
import { inspectConfig } from "../../config/resolve";
import { readStackFile } from "../../config/stack-file";
import { judgeValues } from "./judge";

interface Options {
  readonly up?: true;
  readonly json?: true;
}

/** `talos-fleet check STACK-FILE`: every fault of a stack file at once. Exit code 1 when there is one. */
export function register(program: Command): void {
  program
    .command("check")
    .description("check a stack file against the schema and the rules, every fault at once")
    .argument("<stack-file>", "Pulumi.STACK.yaml")
    .option("--up", "ask for what `up` needs too, not only for what a preview needs")
    .option("--json", "print the faults as JSON")
    .action(async (file: string, options: Options) => {
      try {
        await run(file, options);
      } catch (error) {
        if (options.json !== true) throw error;
        process.stdout.write(jsonFaults(error));
        process.exitCode = 2;
      }
    });
}

interface Checked {
  readonly file: string;
  readonly faults: readonly Fault[];
  readonly beforeUp: readonly Fault[];
  readonly notes: readonly Note[];
}

/** What Talos itself says of the rendered configs is asked only of a file in which nothing else was found. */
async function run(file: string, { up, json }: Options): Promise<void> {
  const { stack, raw, readText } = readStackFile(file);
  const { faults: own, laterFaults: later, notes, sources } = inspectConfig(raw, { stack, readText });
  const judged = own.length === 0 ? await judgeValues(sources) : { faults: [], notes: [] };
  const now = [...own, ...judged.faults];
  const faults = up === true ? [...now, ...later] : now;
  const checked = { file, faults, beforeUp: up === true ? [] : later, notes: [...notes, ...judged.notes] };
  process.stdout.write(json === true ? asJson(checked) : asText(checked));
  if (faults.length > 0) process.exitCode = 1;
}

function asJson({ file, faults, beforeUp, notes }: Checked): string {
  return jsonText({
    file,
    ok: faults.length === 0,
    faults: faults.map(shown),
    beforeUp: beforeUp.map(shown),
    notes: notes.map(shown),
  });
}

function asText({ file, faults, beforeUp, notes }: Checked): string {
  const head = faults.length === 0 ? "no fault" : counted(faults.length);
  const lines = [
    `${printable(file)}: ${head}`,
    ...faults.map((fault) => `  ${formatFault(fault)}`),
    ...(beforeUp.length === 0 ? [] : ["before `up`:", ...beforeUp.map((fault) => `  ${formatFault(fault)}`)]),
    ...notes.map((note) => `note: ${formatNote(note)}`),
  ];
  return `${lines.join("\n")}\n`;
}

function counted(count: number): string {
  return count === 1 ? "1 fault" : `${count} faults`;
}
