import type { Command } from "commander";

import { formatFault, jsonFaults } from "../../base/faults";
import type { Fault } from "../../base/faults";
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

async function run(file: string, options: Options): Promise<void> {
  const { now, later, sources, notes } = faultsOf(file);
  const judged = now.length === 0 ? await judgeValues(sources) : { faults: [], notes: [] };
  const everywhere = [...now, ...judged.faults];
  const checked = {
    file,
    faults: options.up === true ? [...everywhere, ...later] : everywhere,
    beforeUp: options.up === true ? [] : later,
    notes: [...notes.map(({ key, value, note }) => `${key}: ${value}: ${note}`), ...judged.notes],
  };
  const { faults } = checked;
  process.stdout.write(options.json === true ? asJson(checked) : asText(checked));
  if (faults.length > 0) process.exitCode = 1;
}

/** Faults of every run, and those that only `up` minds. */
function faultsOf(file: string) {
  const { stack, raw, readText } = readStackFile(file);
  const { faults: now, notes, sources } = inspectConfig(raw, { stack, readText, phase: "preview" });
  const known = new Set(now.map(formatFault));
  const later = inspectConfig(raw, { stack, readText, phase: "up" }).faults;
  return { now, notes, sources, later: later.filter((fault) => !known.has(formatFault(fault))) };
}

interface Checked {
  readonly file: string;
  readonly faults: readonly Fault[];
  readonly beforeUp: readonly Fault[];
  readonly notes: readonly string[];
}

function asJson({ file, faults, beforeUp, notes }: Checked): string {
  return `${JSON.stringify({ file, ok: faults.length === 0, faults, beforeUp, notes }, null, 2)}\n`;
}

function asText({ file, faults, beforeUp, notes }: Checked): string {
  const head = faults.length === 0 ? `${file}: no fault` : `${file}: ${counted(faults.length)}`;
  const rest =
    beforeUp.length === 0 ? [] : ["before `up`:", ...beforeUp.map((fault) => `  ${formatFault(fault)}`)];
  return `${[head, ...faults.map((fault) => `  ${formatFault(fault)}`), ...rest, ...notes.map((note) => `note: ${note}`)].join("\n")}\n`;
}

function counted(count: number): string {
  return count === 1 ? "1 fault" : `${count} faults`;
}
