/** talosctl as a generator: nothing secret in its arguments, and its files are gone when it ends. */
import { rmSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "./program";

/** Starting talosctl costs CPU, not waiting: more at once than this gains nothing. */
const atOnce = 3;

export interface Talosctl {
  /** Runs with `files` written to a private folder; `args` gets their paths by name. Rejects with talosctl's message. */
  run(
    files: Readonly<Record<string, string>>,
    args: (path: (name: string) => string) => string[],
  ): Promise<string>;
}

const messageOf = (stderr: string): string =>
  stderr
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("generating PKI") && !line.startsWith("Usage:"))
    .join("\n")
    .replace(/^error: /i, "");

/** Folders with secrets in them; a process that ends in the middle must not leave them. */
const folders = new Set<string>();
process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function runOnce(command: string, ...[files, args]: Parameters<Talosctl["run"]>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "talos-plugin-"));
  folders.add(folder);
  const path = (name: string) => join(folder, name);
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(path(name), text, { mode: 0o600 });
    const env = { PATH: process.env["PATH"], HOME: folder };
    const { code, stdout, stderr } = await runProgram(command, args(path), { env });
    if (code !== 0) throw new Error(messageOf(stderr));
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
    folders.delete(folder);
  }
}

export function createTalosctl(command: string): Talosctl {
  let running = 0;
  const waiting: (() => void)[] = [];
  const enter = async (): Promise<void> => {
    if (running < atOnce) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return {
    run: async (files, args) => {
      await enter();
      try {
        return await runOnce(command, files, args);
      } finally {
        leave();
      }
    },
  };
}
