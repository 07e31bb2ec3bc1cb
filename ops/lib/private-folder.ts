/** Credentials on disk only as long as a call needs them, and for nobody else to read. */
import { rmSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs `use` with a folder of mode 0700 that is gone afterwards, whatever happens (short of SIGKILL). */
export async function withPrivateFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "talos-fleet-"));
  // A cancelled run ends by signal, which runs no finally.
  const leave = (signal: NodeJS.Signals) => {
    rmSync(folder, { recursive: true, force: true });
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.once(signal, leave);
  try {
    return await use(folder);
  } finally {
    for (const signal of SIGNALS) process.off(signal, leave);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes a file of mode 0600 and gives its path. */
export async function privateFile(folder: string, name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content, { mode: 0o600 });
  return path;
}
