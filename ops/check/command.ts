import type { Command } from "commander";

import { formatFault, jsonFaults } from "../../base/faults";
import type { Fault } from "../../base/faults";
import { inspectConfig } from "../../config/resolve";
import { readStackFile } from "../../config/stack-file";

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
    .action((file: string, options: Options) => {
      try {
        run(file, options);
      } catch (error) {
        if (options.json !== true) throw error;
        process.stdout.write(jsonFaults(error));
        process.exitCode = 2;
      }
    });
}

function run(file: string, options: Options): void {
  const { now, later } = faultsOf(file);
  const faults = options.up === true ? [...now, ...later] : now;
  const rest = options.up === true ? [] : later;
  process.stdout.write(options.json === true ? asJson(file, faults, rest) : asText(file, faults, rest));
  if (faults.length > 0) process.exitCode = 1;
}

/** Faults of every run, and those that only `up` minds. */
function faultsOf(file: string): { now: readonly Fault[]; later: readonly Fault[] } {
  const { stack, raw, readText } = readStackFile(file);
  const inspect = (phase: "preview" | "up") =>
    inspectConfig(raw, { stack, readText, phase }).faults;
  const now = inspect("preview");
  const known = new Set(now.map(formatFault));
  return { now, later: inspect("up").filter((fault) => !known.has(formatFault(fault))) };
}

function asJson(file: string, faults: readonly Fault[], beforeUp: readonly Fault[]): string {
  return `${JSON.stringify({ file, ok: faults.length === 0, faults, beforeUp }, null, 2)}\n`;
}

function asText(file: string, faults: readonly Fault[], beforeUp: readonly Fault[]): string {
  const head = faults.length === 0 ? `${file}: no fault` : `${file}: ${counted(faults.length)}`;
  const rest =
    beforeUp.length === 0 ? [] : ["before `up`:", ...beforeUp.map((fault) => `  ${formatFault(fault)}`)];
  return `${[head, ...faults.map((fault) => `  ${formatFault(fault)}`), ...rest].join("\n")}\n`;
}

function counted(count: number): string {
  return count === 1 ? "1 fault" : `${count} faults`;
}
