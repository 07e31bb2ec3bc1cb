import type { Command } from "commander";
import { engineFromHere } from "../platforms/docker/engine";
import { down } from "./run";
import { BadInput } from "../lib/bad-input";
import { planOfStack, projectName } from "../lib/stack";

/** `talos-fleet down --stack S`: whose things are removed is said by the stack file alone. */
export function register(program: Command): void {
  program
    .command("down")
    .description("remove what is left of a lab by its labels: containers, volumes, network, then .lab/")
    .requiredOption("--stack <stack>", "its Pulumi.STACK.yaml must be in this folder")
    .action(async ({ stack }: { readonly stack: string }) => {
      const plan = planOfStack(stack);
      if (plan.platform !== "docker") {
        throw new BadInput(`--stack: ${stack}: is not a lab on Docker; remove a fleet with "pulumi destroy"`);
      }
      const print = (line: string) => process.stdout.write(`${line}\n`);
      const engine = engineFromHere(plan.docker);
      await down({ stack, plan, engine, project: projectName(), print });
    });
}
