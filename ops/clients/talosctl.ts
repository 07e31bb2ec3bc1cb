/** Calls the real talosctl. */
import { execFile } from "node:child_process";
import { privateFile, withPrivateFolder } from "../lib/private-folder";

export interface TalosctlTarget {
  /** `host:port` to connect to. */
  readonly endpoints: readonly string[];
  /** Addresses in the node network that the call is for. */
  readonly nodes: readonly string[];
}

export interface TalosctlAnswer {
  readonly ok: boolean;
  readonly stdout: string;
  /** What talosctl complained about, one line a node; empty when all is well. */
  readonly stderr: string;
}

export interface Talosctl {
  run(target: TalosctlTarget, args: readonly string[]): Promise<TalosctlAnswer>;
}

/** One call may take this long; waits repeat calls until their own limit. */
const CALL_TIMEOUT_MS = 20_000;
/** Configs of a hundred nodes are more than the megabyte that Node takes. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Gives `use` a talosctl that logs in with this talosconfig, which is on disk only meanwhile. */
export const withTalosctl = <T>(talosconfig: string, use: (talosctl: Talosctl) => Promise<T>): Promise<T> =>
  withPrivateFolder(async (folder) => {
    const path = await privateFile(folder, "talosconfig", talosconfig);
    return use({ run: (target, args) => call(path, target, args) });
  });

function call(config: string, target: TalosctlTarget, args: readonly string[]): Promise<TalosctlAnswer> {
  const binary = process.env["TALOSCTL"] ?? "talosctl";
  const flags = ["--talosconfig", config, "-e", target.endpoints.join(","), "-n", target.nodes.join(",")];
  return new Promise((resolve, reject) => {
    const options = { timeout: CALL_TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES };
    execFile(binary, [...args, ...flags], options, (error, stdout, stderr) => {
      if (error !== null && "code" in error && error.code === "ENOENT") {
        reject(new Error(missing(binary)));
        return;
      }
      const late = error?.killed === true ? `no answer within ${CALL_TIMEOUT_MS / 1000} s` : "";
      resolve({ ok: error === null, stdout, stderr: late === "" ? stderr.trim() : late });
    });
  });
}

const missing = (binary: string): string =>
  `talosctl: ${binary}: the operations on live nodes need it; install it as "make doctor" says, or set TALOSCTL to its path`;
