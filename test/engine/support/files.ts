import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

export interface SeenFile {
  /** Relative to the folder that was listed. */
  readonly path: string;
  readonly mode: number;
  readonly read: () => string;
}

/** Every plain file below a folder; links are not followed, and what goes while it is looked at is left out. */
export function filesIn(folder: string, skip?: RegExp): SeenFile[] {
  const visit = (path: string): SeenFile[] => {
    const name = relative(folder, path);
    if (skip?.test(name) === true) return [];
    try {
      const status = lstatSync(path);
      if (status.isDirectory()) return readdirSync(path).flatMap((entry) => visit(join(path, entry)));
      if (!status.isFile()) return [];
      return [{ path: name, mode: status.mode & 0o777, read: () => readFileSync(path, "latin1") }];
    } catch {
      return [];
    }
  };
  return visit(folder);
}

/** Whether anybody but the owner may do anything with it. */
export const isWide = ({ mode }: SeenFile): boolean => (mode & 0o077) !== 0;
