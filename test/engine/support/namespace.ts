import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import type { StackName } from "../../../rehearsal/session";
import type { BarePreviews } from "./bare-preview";
import { checkout, engineTools } from "./open";

const run = promisify(execFile);
const LOOPBACK_ONLY = "ip link set lo up && exec";

/** Whether this user may make a network namespace, in which nothing but loopback has a route. */
const namespaces =
  spawnSync("unshare", ["-n", "sh", "-c", `${LOOPBACK_ONLY} ip route get 127.0.0.1`]).status === 0;

export const where = namespaces
  ? "in a network namespace without a route"
  : "(no network namespace can be made here, so with this machine's network)";

/** Previews of a stack with nothing behind it, in a process whose environment holds PATH and HOME only. */
export async function barePreviews(
  stack: StackName,
  overrides: Readonly<Record<string, unknown>> = {},
): Promise<BarePreviews> {
  const script = join(__dirname, "bare-preview.ts");
  const node = [process.execPath, "--require", join(checkout, "bin/register.cjs"), script];
  const args = [...node, stack, JSON.stringify(overrides), JSON.stringify(await engineTools())];
  const [command = "", ...rest] = namespaces
    ? ["unshare", "-n", "sh", "-c", `${LOOPBACK_ONLY} "$@"`, "sh", ...args]
    : args;
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
  const { stdout } = await run(command, rest, { env, maxBuffer: 64 << 20 });
  return JSON.parse(stdout) as BarePreviews;
}
