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

const talosctl = findTool("talosctl");

/** `describe` of what needs the real talosctl: skipped, and its title says so, where that is not here. */
export function describeWithTalosctl(title: string, tests: (talosctl: string) => void): void {
  const found = talosctl !== undefined;
  (found ? describe : describe.skip)(`${title} (${found ? "found" : "skipped: talosctl is not here"})`, () =>
    tests(talosctl ?? ""),
  );
}

export const secretsType = "talos:machine/secrets:Secrets";

/** What Pulumi sends with every request for the secrets of a cluster. */
export const secretsRequest = {
  urn: `urn:pulumi:t::t::${secretsType}::s`,
  name: "s",
  preview: false,
  signal: new AbortController().signal,
  log: () => undefined,
};
