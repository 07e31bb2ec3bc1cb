import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "../../../rehearsal/session";
import { runCommand } from "../../../rehearsal/session/run";

/** Runs the real talosctl with a talosconfig and no other flag. */
export async function talosctl(
  session: Session,
  talosconfig: string,
  args: readonly string[],
): Promise<string> {
  const folder = join(session.folder, "verify");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "talosconfig");
  writeFileSync(file, talosconfig, { mode: 0o600 });
  const command = { command: session.env["TALOSCTL"] ?? "talosctl", cwd: folder, env: session.env };
  const call = { ...command, args: ["--talosconfig", file, ...args] };
  const { code, stdout, stderr } = await runCommand(call, { timeoutMs: 30_000 });
  if (code !== 0) throw new Error(`talosctl ${args.join(" ")} failed:\n${stdout}${stderr}`);
  return stdout;
}
