import type { Command } from "commander";
import { pulumiCli } from "../clients/pulumi";
import { planOfStack } from "../lib/stack";
import { asJson, asText, passes } from "./report";
import { verify } from "./run";
import { readAccess } from "./stack-access";

/** `talos-fleet verify --stack S`: exit code 1 when a line fails. */
export function register(program: Command): void {
  program
    .command("verify")
    .description(
      "the running cluster against the stack file, one line each: expected, seen, pass, FAIL or not tried",
    )
    .requiredOption("--stack <stack>", "its Pulumi.STACK.yaml must be in this folder")
    .option("--json", "print the lines as JSON")
    .action(async ({ stack, json }: { readonly stack: string; readonly json?: true }) => {
      const plan = planOfStack(stack);
      const checks = await verify(plan, await readAccess(pulumiCli(stack), stack));
      process.stdout.write(json === true ? asJson(stack, checks) : asText(stack, checks));
      if (!passes(checks)) process.exitCode = 1;
    });
}
