/** Runs one command line as the command plugin does. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import type { Props } from "../framework/types";
import { flag, record, text, texts } from "../framework/values";

export interface RunRequest {
  readonly commandLine: string;
  /** The resource's inputs. */
  readonly inputs: Props;
  /** Output of the run before: given to the command in its environment. */
  readonly before: { readonly stdout: string; readonly stderr: string };
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  /** Where it runs when `dir` is not given, and what it inherits. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface RunResult {
  readonly stdout: string;
  readonly stderr: string;
}

const shell = ["/bin/sh", "-c"];

function argv(inputs: Props, commandLine: string): { program: string; args: string[] } {
  const interpreter = texts(inputs, "interpreter");
  const [program, ...args] = interpreter.length > 0 ? interpreter : shell;
  return { program: program ?? "", args: [...args, commandLine] };
}

function environment({ inputs, before, env }: RunRequest): Record<string, string | undefined> {
  const own = Object.entries(record(inputs, "environment")).map(([key, value]) => [
    key,
    typeof value === "object" ? JSON.stringify(value) : String(value),
  ]);
  const passes = flag(inputs, "addPreviousOutputInEnv") ?? true;
  return {
    ...env,
    ...(Object.fromEntries(own) as Record<string, string>),
    ...(passes && before.stdout !== "" ? { PULUMI_COMMAND_STDOUT: before.stdout } : {}),
    ...(passes && before.stderr !== "" ? { PULUMI_COMMAND_STDERR: before.stderr } : {}),
  };
}

/** Which streams are shown: both, unless `logging` says otherwise. */
function shownStreams(inputs: Props): { stdout: boolean; stderr: boolean } {
  const logging = text(inputs, "logging") ?? "stdoutAndStderr";
  return {
    stdout: logging.startsWith("stdout"),
    stderr: logging === "stderr" || logging === "stdoutAndStderr",
  };
}

const withoutLastNewline = (output: string): string => output.replace(/\n$/, "");

/** Rejects with `exit status N: running "…":` and the mixed output when the command fails. */
export function run(request: RunRequest): Promise<RunResult> {
  const { commandLine, inputs, signal } = request;
  const { program, args } = argv(inputs, commandLine);
  const shown = shownStreams(inputs);
  const child = spawn(program, args, {
    cwd: text(inputs, "dir") ?? request.cwd,
    env: environment(request),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  // A cancelled run must leave no process behind, so the whole group goes.
  const kill = () => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  };
  signal.addEventListener("abort", kill, { once: true });
  const output = { stdout: "", stderr: "", mixed: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    const lines = new PassThrough();
    child[stream].pipe(lines);
    child[stream].setEncoding("utf8").on("data", (chunk: string) => {
      output[stream] += chunk;
      output.mixed += chunk;
    });
    createInterface({ input: lines }).on("line", (line) => {
      if (shown[stream]) request.log(line);
    });
  }
  child.stdin.on("error", () => undefined);
  child.stdin.end(text(inputs, "stdin") ?? "");
  return new Promise<RunResult>((resolve, reject) => {
    const fail = (reason: string) =>
      reject(new Error(`${reason}: running ${JSON.stringify(commandLine)}:\n${output.mixed}`));
    child.once("error", (error: NodeJS.ErrnoException) =>
      fail(`fork/exec ${program}: ${error.code === "ENOENT" ? "no such file or directory" : error.message}`),
    );
    child.once("close", (code, killedBy) => {
      signal.removeEventListener("abort", kill);
      if (killedBy !== null) fail(`signal: ${killedBy === "SIGKILL" ? "killed" : killedBy}`);
      else if (code !== 0) fail(`exit status ${code ?? -1}`);
      else resolve({ stdout: withoutLastNewline(output.stdout), stderr: withoutLastNewline(output.stderr) });
    });
  });
}
