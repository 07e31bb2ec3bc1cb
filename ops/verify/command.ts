import type { Command } from "commander";
import { pulumiCli } from "../clients/pulumi";
import { planOfStack } from "../lib/stack";
import { type Check, checkLine } from "./check";
import { readAccess } from "./stack-access";
import { verify } from "./run";

/** `talos-fleet verify --stack S`: exit code 1 when a line fails. */
export function register(program: Command): void {
  program
    .command("verify")
    .description("the running cluster against the stack file, one line each: expected, seen, pass or FAIL")
    .requiredOption("--stack <stack>", "its Pulumi.STACK.yaml must be in this folder")
    .option("--json", "print the lines as JSON")
    .action(async ({ stack, json }: { readonly stack: string; readonly json?: true }) => {
      const plan = planOfStack(stack);
      const checks = await verify(plan, await readAccess(pulumiCli(stack), stack));
      process.stdout.write(json === true ? asJson(stack, checks) : asText(stack, checks));
      if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
    });
}

function asJson(stack: string, checks: readonly Check[]): string {
  return `${JSON.stringify({ stack, ok: checks.every(({ ok }) => ok), checks }, null, 2)}\n`;
}

function asText(stack: string, checks: readonly Check[]): string {
  const failed = checks.filter(({ ok }) => !ok).length;
  const verdict = failed === 0 ? `all ${checks.length} pass` : `${failed} of ${checks.length} FAIL`;
  return `${[...checks.map(checkLine), `${stack}: ${verdict}`].join("\n")}\n`;
}
