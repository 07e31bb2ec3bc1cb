/** A stack of this project as the command sees it: the stack file in the folder that the command runs in. */
import { existsSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { resolveConfig } from "../../config/resolve";
import { readStackFile } from "../../config/stack-file";
import type { ClusterPlan } from "../../config/types";
import { BadInput } from "./bad-input";

const STACK_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

/** @throws BadInput when there is no such stack file here, ConfigError when it has faults. */
export function planOfStack(stack: string): ClusterPlan {
  const file = `Pulumi.${stack}.yaml`;
  if (!STACK_NAME.test(stack)) throw new BadInput(`--stack: ${stack}: is not a stack's name`);
  if (!existsSync(file)) {
    throw new BadInput(
      `--stack: ${stack}: there is no ${file} in ${process.cwd()}; run the command in the folder of Pulumi.yaml`,
    );
  }
  const { raw, readText } = readStackFile(file);
  return resolveConfig(raw, { stack, readText, phase: "preview" });
}

/** The `name` of Pulumi.yaml. @throws BadInput */
export function projectName(): string {
  if (!existsSync("Pulumi.yaml")) {
    throw new BadInput(`Pulumi.yaml: not found in ${process.cwd()}; run the command in the project's folder`);
  }
  return z.looseObject({ name: z.string() }).parse(parse(readFileSync("Pulumi.yaml", "utf8"))).name;
}
