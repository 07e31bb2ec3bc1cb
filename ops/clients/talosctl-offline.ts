/** The real talosctl where it needs no machine: secrets, configs, and what Talos thinks of them. */
import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";

interface Answer {
  readonly ok: boolean;
  readonly stderr: string;
}

/** Runs talosctl in a folder; texts with values go in as files there, never as arguments. */
export type OfflineTalosctl = (folder: string, args: readonly string[]) => Promise<Answer>;

const CALL_TIMEOUT_MS = 60_000;

/** `TALOSCTL`, or the one of PATH; undefined where there is none. */
export async function findTalosctl(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<OfflineTalosctl | undefined> {
  const given = env["TALOSCTL"] ?? "";
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = given !== "" ? [given] : folders.map((folder) => join(folder, "talosctl"));
  for (const binary of candidates) {
    if (await isExecutable(binary)) return (folder, args) => run(binary, folder, args);
  }
  return undefined;
}

const isExecutable = async (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

function run(binary: string, folder: string, args: readonly string[]): Promise<Answer> {
  const options = {
    cwd: folder,
    timeout: CALL_TIMEOUT_MS,
    env: { ...process.env, TALOSCONFIG: join(folder, "none") },
  };
  return new Promise((resolve, reject) => {
    execFile(binary, [...args], options, (error, _stdout, stderr) => {
      // Not an answer: nothing was judged, and no patch is to blame.
      if (error?.killed === true)
        reject(
          new Error(`talosctl ${args[0] ?? ""}: no answer within ${CALL_TIMEOUT_MS / 1000} s; try again`),
        );
      else resolve({ ok: error === null, stderr: stderr.trim() });
    });
  });
}
