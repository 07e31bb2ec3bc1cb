import type { Command } from "commander";
import { jsonFaults } from "../../base/faults";
import { preflightText } from "./report";
import { preflight } from "./run";

/** `talos-fleet preflight STACK-FILE`: exit code 1 when something would stop `up`. */
export function register(program: Command): void {
  program
    .command("preflight")
    .description("what the machine or the account lacks, before anything is created")
    .argument("<stack-file>", "Pulumi.STACK.yaml")
    .option("--json", "print the findings as JSON")
    .action(async (file: string, options: { readonly json?: true }) => {
      try {
        await run(file, options.json === true);
      } catch (error) {
        if (options.json !== true) throw error;
        process.stdout.write(jsonFaults(error));
        process.exitCode = 2;
      }
    });
}

async function run(file: string, json: boolean): Promise<void> {
  const report = await preflight(file);
  process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : preflightText(report));
  if (!report.ok) process.exitCode = 1;
}
