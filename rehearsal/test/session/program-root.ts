import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { providePulumi } from "../../../toolchain";
import type { Tools } from "../../tools";

const checkout = resolve(__dirname, "../../..");

const log = (line: string): void => void process.stderr.write(`${line}\n`);

/** Only Pulumi is real here; the other tools are never started. */
export async function pulumiOnly(): Promise<Tools> {
  const pulumi = await providePulumi(checkout, log);
  const none = (name: string) => ({
    name,
    path: `/nonexistent/${name}`,
    version: "",
    origin: "built" as const,
  });
  return {
    pulumi,
    languageHost: pulumi,
    talosctl: none("talosctl"),
    simnode: none("simnode"),
    folders: [join(pulumi.path, "..")],
  };
}

/** A project of its own with this program; `config` is its lab stack's. */
export function programRoot(
  program: string,
  config: Readonly<Record<string, unknown>> = {},
): { root: string; remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), "tf-program-"));
  const nodeargs = `--require ${checkout}/bin/register.cjs --title 'a  program'`;
  const project = { name: "trivial", runtime: { name: "nodejs", options: { typescript: false, nodeargs } } };
  writeFileSync(join(root, "Pulumi.yaml"), JSON.stringify(project));
  writeFileSync(join(root, "Pulumi.lab.yaml"), JSON.stringify({ config }));
  writeFileSync(join(root, "package.json"), JSON.stringify({ name: "trivial", main: "index.js" }));
  writeFileSync(join(root, "index.js"), program);
  symlinkSync(join(checkout, "node_modules"), join(root, "node_modules"));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
