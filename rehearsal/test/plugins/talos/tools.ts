import { existsSync, readdirSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { cacheRoot } from "../../../../toolchain/cache";

const onPath = (name: string): string[] =>
  (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name));

/** Builds that a rehearsal has left in its cache, the newest first. */
const built = (name: string): string[] => {
  const root = cacheRoot();
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .filter((folder) => folder.startsWith(`${name}-`) && !folder.includes(".draft-"))
    .map((folder) => join(root, folder, name))
    .filter(existsSync)
    .sort((left, right) => statSync(right).mtimeMs - statSync(left).mtimeMs);
};

/** The path in the environment variable, a program of that name on PATH, or one that was built before. */
export const findTool = (name: string): string | undefined =>
  process.env[name.toUpperCase()] ?? [...onPath(name), ...built(name)].find(existsSync);
