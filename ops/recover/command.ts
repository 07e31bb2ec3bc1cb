import type { Command } from "commander";
import { pulumiCli } from "../clients/pulumi";
import { planOfStack, projectName } from "../lib/stack";
import { recover } from "./run";

/** A plugin notices within seconds that its pulumi was killed. */
const SETTLE_MS = 2_000;

/** `talos-fleet recover --stack S`: exit code 1 when something could not be removed. */
export function register(program: Command): void {
  program
    .command("recover")
    .description("after a killed run: remove what its pending operations left, and clear them")
    .requiredOption("--stack <stack>", "its Pulumi.STACK.yaml must be in this folder")
    .action(async ({ stack }: { readonly stack: string }) => {
      const plan = planOfStack(stack);
      const print = (line: string) => process.stdout.write(`${line}\n`);
      const args = {
        stack,
        plan,
        project: projectName(),
        pulumi: pulumiCli(stack),
        print,
        settleMs: SETTLE_MS,
      };
      if (!(await recover(args))) process.exitCode = 1;
    });
}
