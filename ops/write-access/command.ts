import { chmod, mkdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { type InputOf, operations } from "../../agreed/operations";
import { readInput } from "../lib/input";

type AccessFiles = InputOf<typeof operations.writeAccess>;

export function register(program: Command): void {
  program
    .command("write-access")
    .description("write the lab's kubeconfig and talosconfig (called by the program; input as JSON on stdin)")
    .option("--remove", "delete them instead")
    .action(async (options: { remove?: boolean }) => {
      const files = await readInput(operations.writeAccess.input);
      await (options.remove === true ? remove(files) : write(files));
    });
}

async function write({ directory, kubeconfig, talosconfig }: AccessFiles): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await replace(join(directory, "kubeconfig"), kubeconfig);
  await replace(join(directory, "talosconfig"), talosconfig);
  process.stdout.write(`${directory}/kubeconfig and ${directory}/talosconfig written (mode 0600)\n`);
}

/** A reader sees the old file or the new one, and never one that others may read. */
async function replace(path: string, content: string): Promise<void> {
  const next = `${path}.new`;
  await rm(next, { force: true });
  await writeFile(next, content, { mode: 0o600, flag: "wx" });
  await chmod(next, 0o600);
  await rename(next, path);
}

async function remove({ directory }: AccessFiles): Promise<void> {
  await rm(join(directory, "kubeconfig"), { force: true });
  await rm(join(directory, "talosconfig"), { force: true });
  // Other things of the lab may still lie there: its state goes last.
  await rmdir(directory).catch(() => undefined);
}
