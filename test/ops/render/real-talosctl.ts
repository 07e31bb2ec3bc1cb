/** The real talosctl, as an operation finds it. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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
  return withSecretsOnce(found);
}

/** Secrets take over a second, and no test of the configs looks at them: made once a version. */
function withSecretsOnce(talosctl: OfflineTalosctl): OfflineTalosctl {
  const made = new Map<string, string>();
  return async (folder, args) => {
    if (args.slice(0, 2).join(" ") !== "gen secrets") return talosctl(folder, args);
    const [file, call] = [path.join(folder, "secrets.yaml"), args.join(" ")];
    const known = made.get(call);
    if (known === undefined) {
      const answer = await talosctl(folder, args);
      if (answer.ok) made.set(call, readFileSync(file, "utf8"));
      return answer;
    }
    writeFileSync(file, known, { mode: 0o600 });
    return { ok: true, stderr: "" };
  };
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
