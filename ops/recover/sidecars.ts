/** The file backend keeps an `.attrs` file beside each file, and writes it in place: a kill can cut it short. */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Removes this stack's cut-short `.attrs` files, for which pulumi answers `failed to load checkpoint: EOF`; it does well
 * without them. The state itself is renamed into place and always whole. Gives the names of what was removed.
 */
export function mendSidecars(folder: string, project: string, stack: string): string[] {
  const root = join(folder, ".pulumi");
  const own = [
    ...attrsIn(join(root, "stacks", project)).filter((path) => path.includes(`/${stack}.json`)),
    ...attrsIn(join(root, "history", project, stack)),
    ...attrsIn(join(root, "locks/organization", project, stack)),
  ];
  const broken = own.filter((path) => !isWhole(path));
  for (const path of broken) rmSync(path, { force: true });
  return broken.map((path) => path.slice(root.length + 1));
}

const attrsIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(".attrs"))
        .map((name) => join(folder, name))
    : [];

function isWhole(path: string): boolean {
  try {
    JSON.parse(readFileSync(path, "utf8"));
    return true;
  } catch {
    return false;
  }
}
