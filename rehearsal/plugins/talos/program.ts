/** Runs a program that reads stdin and ends: talosctl and the client half of simnode. */
import { spawn } from "node:child_process";

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly input?: string;
  readonly signal?: AbortSignal;
  readonly env?: NodeJS.ProcessEnv;
}

const collect = (stream: NodeJS.ReadableStream): (() => string) => {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
};

/** Rejects when the program cannot be started or the signal aborts it (it is killed then). */
export function runProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], {
      env: options.env ?? process.env,
      stdio: "pipe",
      killSignal: "SIGKILL",
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout: stdout(), stderr: stderr() }));
    // A program that ends before it has read everything breaks the pipe; its exit code says why.
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
  });
}
