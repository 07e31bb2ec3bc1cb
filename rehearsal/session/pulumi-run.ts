import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { runCommand } from "./run";
import type { Command } from "./run";
import type { RunOptions, RunResult } from "./types";

/**
 * An API that drops packets may hold up a preview for seconds only; a fresh API server takes longer than that for its first
 * OpenAPI document, which `up` must wait for. The plugin reads this from the environment alone.
 */
const clientTimeout = (verb: string | undefined): string => (verb === "preview" ? "2" : "120");

/**
 * One run of pulumi with a TMPDIR of its own that goes with it: the real Kubernetes plugin leaves the kubeconfig it was
 * given there, private key and all. `left` takes the names of what was still there at the run's end.
 */
export async function runPulumiOnce(
  command: Command & { readonly temp: string },
  options: RunOptions,
  left: string[] = [],
): Promise<RunResult> {
  const own = mkdtempSync(join(command.temp, "run-"));
  const env = {
    ...command.env,
    TMPDIR: own,
    PULUMI_K8S_CLIENT_TIMEOUT: clientTimeout(command.args[0]),
  };
  try {
    return await runCommand({ ...command, env }, options);
  } finally {
    left.push(...(readdirSync(own, { recursive: true }) as string[]));
    rmSync(own, { recursive: true, force: true });
  }
}
