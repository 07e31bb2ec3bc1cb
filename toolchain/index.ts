import { dirname, join } from "node:path";

import { ensureBuilt } from "./build";
import { cacheRoot } from "./cache";
import { installedPulumi, installedTalosctl, onPath } from "./installed";
import { assemblePulumi } from "./pulumi-folder";
import { recipes } from "./recipes";
import type { BuildContext, Log, Tool, Tools } from "./types";

export type { Tool, Tools } from "./types";

const context = (log: Log): BuildContext => ({ cache: cacheRoot(), go: onPath("go") ?? "go", log });

/** `talosctl` of PATH or `TALOSCTL`, else built. */
export async function provideTalosctl(root: string, log: Log): Promise<Tool> {
  return (await installedTalosctl()) ?? ensureBuilt(recipes(root).talosctl, context(log));
}

/** `pulumi` with a Node language host: of PATH, else built with the stand-in beside it. */
export async function providePulumi(root: string, log: Log): Promise<Tool> {
  const installed = await installedPulumi();
  if (installed !== undefined) return installed;
  return assemblePulumi(await ensureBuilt(recipes(root).pulumi, context(log)), root, context(log));
}

/** Everything a rehearsal runs; the first time this builds for minutes and says so. */
export async function provideTools(root: string, log: Log): Promise<Tools> {
  const simnode = await ensureBuilt(recipes(root).simnode, context(log));
  const talosctl = await provideTalosctl(root, log);
  const pulumi = await providePulumi(root, log);
  const languageHost = {
    ...pulumi,
    name: "pulumi-language-nodejs",
    path: join(dirname(pulumi.path), "pulumi-language-nodejs"),
  };
  return { pulumi, languageHost, talosctl, simnode, folders: [dirname(pulumi.path), dirname(talosctl.path)] };
}
