import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

import { PULUMI_VERSION, TALOSCTL_VERSION } from "./recipes";
import type { Tool } from "./types";

const run = promisify(execFile);
const TIMEOUT_MS = 20_000;

/** First executable of that name on PATH, its real path. */
export function onPath(name: string, path = process.env["PATH"] ?? ""): string | undefined {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return realpathSync(file);
    } catch {
      continue;
    }
  }
  return undefined;
}

interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

function versionIn(text: string): Version | undefined {
  const match = /v?(\d+)\.(\d+)\.(\d+)/.exec(text);
  return match === null
    ? undefined
    : { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]) };
}

async function versionOf(command: string, args: readonly string[]): Promise<string> {
  try {
    const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
    return (await run(command, [...args], { timeout: TIMEOUT_MS, env })).stdout;
  } catch {
    return "";
  }
}

function compare(
  output: string,
  wanted: string,
  suits: (seen: Version, wanted: Version) => boolean,
): boolean {
  const versions = [versionIn(output), versionIn(wanted)];
  return versions[0] !== undefined && versions[1] !== undefined && suits(versions[0], versions[1]);
}

/** Same major version and not older: the CLI drives older SDKs and plugins. */
export function suitsPulumi(output: string): boolean {
  return compare(output, PULUMI_VERSION, (seen, wanted) => {
    const newer = seen.minor > wanted.minor || (seen.minor === wanted.minor && seen.patch >= wanted.patch);
    return seen.major === wanted.major && newer;
  });
}

/** Same minor version and not older: machine configs are generated for that line of Talos. */
export function suitsTalosctl(output: string): boolean {
  return compare(output, TALOSCTL_VERSION, (seen, wanted) => {
    return seen.major === wanted.major && seen.minor === wanted.minor && seen.patch >= wanted.patch;
  });
}

const short = (output: string): string => {
  const seen = versionIn(output);
  return seen === undefined ? "?" : `v${seen.major}.${seen.minor}.${seen.patch}`;
};

/** An official Pulumi on PATH: its Node language host must lie beside it. */
export async function installedPulumi(path?: string): Promise<Tool | undefined> {
  const pulumi = onPath("pulumi", path);
  if (pulumi === undefined || !existsSync(join(dirname(pulumi), "pulumi-language-nodejs"))) return undefined;
  if (existsSync(join(dirname(pulumi), "language-host.cjs"))) return undefined;
  const output = await versionOf(pulumi, ["version"]);
  return suitsPulumi(output)
    ? { name: "pulumi", path: pulumi, version: short(output), origin: "installed" }
    : undefined;
}

/** A talosctl on PATH, or the one that `TALOSCTL` names. */
export async function installedTalosctl(path?: string): Promise<Tool | undefined> {
  const talosctl = process.env["TALOSCTL"] ?? onPath("talosctl", path);
  if (talosctl === undefined) return undefined;
  const output = await versionOf(talosctl, ["version", "--client", "--short"]);
  return suitsTalosctl(output)
    ? { name: "talosctl", path: talosctl, version: short(output), origin: "installed" }
    : undefined;
}
