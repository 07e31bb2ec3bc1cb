import { CLIENT_TIMEOUT, clientTimeouts } from "../../agreed/client-timeout";
import { runCommand } from "./run";
import type { Command } from "./run";
import type { RunOptions, RunResult } from "./types";

const clientTimeout = (verb: string | undefined): string =>
  String(verb === "preview" ? clientTimeouts.preview : clientTimeouts.change);

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
    [CLIENT_TIMEOUT]: clientTimeout(command.args[0]),
  };
  return runCommand({ ...command, env }, options);
};
