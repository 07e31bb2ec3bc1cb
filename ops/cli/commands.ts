import type { Command } from "commander";

import { register as bootstrap } from "../commands/bootstrap";
import { register as check } from "../commands/check";
import { register as plan } from "../commands/plan";
import { register as registerSchematic } from "../commands/register-schematic";
import { register as schematic } from "../commands/schematic";
import { register as wait } from "../commands/wait";
import { register as writeAccess } from "../commands/write-access";

/** Every sub-command, in the order of the help: for people first, then what the program itself calls. */
export const commands: readonly ((program: Command) => void)[] = [
  schematic,
  check,
  plan,
  registerSchematic,
  bootstrap,
  wait,
  writeAccess,
];
