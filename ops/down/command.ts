import type { Command } from "commander";
import { planOfStack, projectName } from "../lib/stack";
import { down } from "./run";

/** `talos-fleet down --stack S`: whose objects are removed is said by the stack file alone. */
export function register(program: Command): void {
  program
    .command("down")
    .description("remove what is left of a lab by its labels: containers, volumes, network, then .lab/")
    .requiredOption("--stack <stack>", "its Pulumi.STACK.yaml must be in this folder")
    .option("--containers", "only kill and remove the containers, as before a destroy")
    .action(async ({ stack, containers }: { readonly stack: string; readonly containers?: true }) => {
      const print = (line: string) => process.stdout.write(`${line}\n`);
      const plan = planOfStack(stack);
      await down({ stack, plan, project: projectName(), print, machinesOnly: containers === true });
    });
}
