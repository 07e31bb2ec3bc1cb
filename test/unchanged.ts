/** Whether a check has passed on exactly these files before, so that its answer is known. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** All files of the checkout, new ones included, that end in one of these. */
function contentOf(root: string, ends: readonly string[]): string {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const listed = execFileSync("git", args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 26,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const hash = createHash("sha256").update(process.version);
  const names = listed.split("\0").filter((name) => ends.some((end) => name.endsWith(end)));
  for (const name of names.sort()) {
    hash.update(`\0${name}\0`);
    try {
      hash.update(readFileSync(join(root, name)));
    } catch {
      // Deleted and not yet committed: its name without content is a state like any other.
      hash.update("\0");
    }
  }
  return hash.digest("hex");
}

export interface Memory {
  /** It has passed on what is there now. */
  readonly passed: () => boolean;
  readonly keep: () => void;
}

/** Kept in `file`. What is installed counts by the lock file. Without git nothing is remembered. */
export function memoryOf(root: string, file: string, ends: readonly string[]): Memory {
  const now = (): string | undefined => {
    try {
      return contentOf(root, ends);
    } catch {
      return undefined;
    }
  };
  const atStart = now();
  return {
    passed: () => {
      try {
        return atStart !== undefined && readFileSync(file, "utf8") === atStart;
      } catch {
        return false;
      }
    },
    keep: () => {
      // What was edited meanwhile was not judged.
      if (atStart === undefined || now() !== atStart) return;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, atStart);
    },
  };
}
