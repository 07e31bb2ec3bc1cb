import { dirname, join } from "node:path";

import { ensureBuilt } from "./build";
import { cacheRoot } from "./cache";
import { installedPulumi, installedTalosctl, onPath } from "./installed";
import { assemblePulumi } from "./pulumi-folder";
import { recipes } from "./recipes";
import type { BuildContext, GoRecipe, Log, Tool } from "./types";

export type { GoRecipe, Log, Tool } from "./types";

const context = (log: Log): BuildContext => ({ cache: cacheRoot(), go: onPath("go") ?? "go", log });

/** An executable of this checkout's own sources, from the cache or built now. */
export const provideBuilt = async (recipe: GoRecipe, log: Log): Promise<Tool> =>
  ensureBuilt(recipe, context(log));

/** `talosctl` of PATH or `TALOSCTL`, else built. */
export async function provideTalosctl(root: string, log: Log): Promise<Tool> {
  return (await installedTalosctl()) ?? provideBuilt(recipes(root).talosctl, log);
}

/** `pulumi` with a Node language host: of PATH, else built with the stand-in beside it. */
export async function providePulumi(root: string, log: Log): Promise<Tool> {
  const installed = await installedPulumi();
  if (installed !== undefined) return installed;
  return assemblePulumi(await provideBuilt(recipes(root).pulumi, log), root, context(log));
}

/** Pulumi's own Node language host, or the stand-in (`built`): it lies beside `pulumi`. */
export const languageHostOf = (pulumi: Tool): Tool => ({
  ...pulumi,
  name: "pulumi-language-nodejs",
  path: join(dirname(pulumi.path), "pulumi-language-nodejs"),
});

/** One line for people. */
export const describeTool = ({ name, version, path, origin }: Tool): string =>
  `${name.padEnd(24)} ${version.padEnd(16)} ${origin === "built" ? "built here" : "installed"}  ${path}`;
