/** A node's machine config as Talos' own generator makes it, offline, with secrets that are thrown away. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { ConfigsInput } from "../../agreed/operations";
import type { Patch, Role } from "../../agreed/types";
import { patchTexts } from "../../machine/patches";
import type { OfflineTalosctl } from "../clients/talosctl-offline";
import { privateFile, withPrivateFolder } from "../lib/private-folder";

export type Cluster = Pick<ConfigsInput, "clusterName" | "endpoint" | "contract" | "kubernetesVersion">;

type Rendered =
  | { readonly ok: true; readonly file: string; readonly text: () => Promise<string> }
  /** What talosctl said; it may hold values of patches. */
  | { readonly ok: false; readonly said: string };

export interface Renderer {
  readonly render: (role: Role, patches: readonly Patch[]) => Promise<Rendered>;
  readonly talosctl: (args: readonly string[]) => ReturnType<OfflineTalosctl>;
}

/** Gives `use` a renderer whose secrets and configs lie in a private folder, and only meanwhile. */
export const withRenderer = <T>(
  cluster: Cluster,
  talosctl: OfflineTalosctl,
  use: (renderer: Renderer) => Promise<T>,
): Promise<T> =>
  withPrivateFolder(async (folder) => {
    const run = async (args: readonly string[]) => talosctl(folder, args);
    const made = await run([
      "gen",
      "secrets",
      "--output-file",
      "secrets.yaml",
      "--talos-version",
      cluster.contract,
    ]);
    if (!made.ok) throw new Error(`talosctl gen secrets: ${made.stderr}`);
    let count = 0;
    return use({
      talosctl: run,
      render: async (role, patches) => generate({ folder, cluster, run, number: ++count }, role, patches),
    });
  });

interface Call {
  readonly folder: string;
  readonly cluster: Cluster;
  readonly run: Renderer["talosctl"];
  readonly number: number;
}

/** A file for each document, in order, as the provider gives them. */
async function generate(call: Call, role: Role, patches: readonly Patch[]): Promise<Rendered> {
  const { folder, cluster, run, number } = call;
  const texts = patchTexts(patches);
  const names = texts.map((_, index) => `${number}-${index}.json`);
  await Promise.all(texts.map(async (text, index) => privateFile(folder, names[index] ?? "", text)));
  const file = `${number}.yaml`;
  // The patches of one role: talosctl makes the other's config too, and would refuse it for this one's.
  const flag = role === "controlplane" ? "--config-patch-control-plane" : "--config-patch-worker";
  const { ok, stderr } = await run([
    ...["gen", "config", cluster.clusterName, cluster.endpoint, "--with-secrets", "secrets.yaml"],
    ...["--talos-version", cluster.contract, "--kubernetes-version", cluster.kubernetesVersion],
    ...["--with-docs=false", "--with-examples=false", "--output-types", role, "--output", file],
    ...names.flatMap((name) => [flag, `@${name}`]),
  ]);
  if (!ok) return { ok, said: stderr };
  return { ok, file, text: async () => readFile(join(folder, file), "utf8") };
}
