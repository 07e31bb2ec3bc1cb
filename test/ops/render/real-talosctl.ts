/** The real talosctl, as an operation finds it. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";

import { findTalosctl } from "../../../ops/clients/talosctl-offline";
import type { OfflineTalosctl } from "../../../ops/clients/talosctl-offline";
import { provideTalosctl } from "../../../toolchain";

/** Where there is no talosctl yet, it is built. */
export const buildTimeMs = 600_000;

export async function realTalosctl(): Promise<OfflineTalosctl> {
  const tool = await provideTalosctl(path.join(__dirname, "../../.."), (line) =>
    process.stderr.write(`${line}\n`),
  );
  process.env["TALOSCTL"] = tool.path;
  const found = await findTalosctl();
  if (found === undefined) throw new Error(`no talosctl at ${tool.path}`);
  return found;
}

/** A folder for temporary files of the test alone, so that what is left in it can be seen. */
export function ownTemporaryFolder(): {
  readonly left: () => readonly string[];
  readonly remove: () => void;
} {
  const before = process.env["TMPDIR"];
  const folder = mkdtempSync(path.join(tmpdir(), "render-test-"));
  process.env["TMPDIR"] = folder;
  return {
    left: () => readdirSync(folder),
    remove: () => {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
      rmSync(folder, { recursive: true });
    },
  };
}
