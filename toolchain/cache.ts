import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const UNUSED_FOR_MS = 14 * 24 * 3600 * 1000;

/** Where built tools are kept: `$XDG_CACHE_HOME` or `~/.cache`, then `talos-fleet`. */
export function cacheRoot(env: NodeJS.ProcessEnv = process.env): string {
  const base = env["XDG_CACHE_HOME"];
  return join(base === undefined || base === "" ? join(homedir(), ".cache") : base, "talos-fleet");
}

/** All files of a folder, sorted, relative to it; hidden ones and Go tests left out. */
function sourceFiles(folder: string, prefix = ""): readonly string[] {
  const entries = readdirSync(join(folder, prefix), { withFileTypes: true });
  return entries
    .filter(
      (entry) => !entry.name.startsWith(".") && !entry.name.endsWith("_test.go") && entry.name !== "testdata",
    )
    .flatMap((entry) => {
      const path = join(prefix, entry.name);
      return entry.isDirectory() ? sourceFiles(folder, path) : [path];
    })
    .sort();
}

/** Sixteen hex digits that change with any file of the folders or any of the facts (flags, compiler version). */
export function contentKey(folders: readonly string[], facts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const fact of facts) hash.update(`${fact}\0`);
  for (const folder of folders) {
    for (const file of sourceFiles(folder))
      hash
        .update(`${file}\0`)
        .update(readFileSync(join(folder, file)))
        .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

/** Marks a cached folder as used, so that `dropUnused` keeps it. */
export function touch(folder: string): void {
  const now = new Date();
  utimesSync(folder, now, now);
}

/** Removes builds of this tool that nothing has used for two weeks. */
export function dropUnused(cache: string, tool: string, now = Date.now()): void {
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache)) {
    if (!name.startsWith(`${tool}-`)) continue;
    const folder = join(cache, name);
    if (existsSync(folder) && now - statSync(folder).mtimeMs > UNUSED_FOR_MS)
      rmSync(folder, { recursive: true, force: true });
  }
}
