/** Calls the pulumi CLI for one stack. Nothing that it answers is printed: it may hold secrets. */
import { execFile } from "node:child_process";
import { privateFile, withPrivateFolder } from "../lib/private-folder";

interface PulumiAnswer {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export type Pulumi = (args: readonly string[]) => Promise<PulumiAnswer>;

/** A state with 17 servers is below a megabyte. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

/** The CLI on PATH, on this stack, asking nothing of people. */
export function pulumiCli(stack: string): Pulumi {
  return (args) =>
    new Promise((resolve, reject) => {
      const scope = args[0] === "whoami" ? [] : ["--stack", stack];
      const all = [...args, ...scope, "--non-interactive", "--color", "never"];
      const options = { maxBuffer: MAX_OUTPUT_BYTES, timeout: TIMEOUT_MS };
      execFile("pulumi", all, options, (error, stdout, stderr) => {
        if (error !== null && error.code === "ENOENT") reject(new Error(MISSING));
        else resolve({ ok: error === null, stdout, stderr: stderr.trim() });
      });
    });
}

const MISSING =
  'pulumi: not found on PATH: the stack\'s state is read through it; install it as "make doctor" says';

const NO_STACK = "no stack named";

/** Stdout of a call that must succeed; undefined when the stack does not exist (yet). */
export async function answerOf(pulumi: Pulumi, args: readonly string[]): Promise<string | undefined> {
  const { ok, stdout, stderr } = await pulumi(args);
  if (ok) return stdout;
  if (stderr.includes(NO_STACK)) return undefined;
  throw new Error(`pulumi ${args.join(" ")}: ${stderr}`);
}

/** Replaces the stack's state by an export's text; on disk (mode 0600) only meanwhile. */
export const importState = (pulumi: Pulumi, exported: string): Promise<void> =>
  withPrivateFolder(async (folder) => {
    const file = await privateFile(folder, "state.json", exported);
    const { ok, stderr } = await pulumi(["stack", "import", "--file", file]);
    if (!ok) throw new Error(`pulumi stack import: ${stderr}`);
  });
