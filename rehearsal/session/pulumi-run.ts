import { runCommand } from "./run";
import type { Command } from "./run";
import type { RunOptions, RunResult } from "./types";

/**
 * An API that drops packets may hold up a preview for seconds only; a fresh API server takes longer than that for its first
 * OpenAPI document, which `up` must wait for. The plugin reads this from the environment alone.
 */
const clientTimeout = (verb: string | undefined): string => (verb === "preview" ? "2" : "120");

/**
 * One run of pulumi. Its TMPDIR is the session's, as the plugins' is: the Kubernetes plugin leaves the kubeconfig it was given
 * there, private key and all; the program takes it away, and the session's end whatever is left.
 */
export const runPulumiOnce = (
  command: Command & { readonly temp: string },
  options: RunOptions,
): Promise<RunResult> => {
  const env = {
    ...command.env,
    TMPDIR: command.temp,
    PULUMI_K8S_CLIENT_TIMEOUT: clientTimeout(command.args[0]),
  };
  return runCommand({ ...command, env }, options);
};
