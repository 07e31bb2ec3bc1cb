import { dirname, join } from "node:path";

import { languageHostOf, provideBuilt, providePulumi, provideTalosctl } from "../toolchain";
import type { GoRecipe, Log, Tool } from "../toolchain";

/** What a session runs. */
export interface Tools {
  readonly pulumi: Tool;
  /** Pulumi's own Node language host, or our stand-in (`built`). */
  readonly languageHost: Tool;
  readonly talosctl: Tool;
  readonly simnode: Tool;
  /** Folders to put in front of PATH. */
  readonly folders: readonly string[];
}

const simnodeRecipe = (root: string): GoRecipe => ({
  tool: "simnode",
  version: "of this checkout",
  module: join(root, "rehearsal/node"),
  package: ".",
  flags: ["-tags", "grpcnotrace", "-ldflags", "-s -w"],
  firstBuild: "about a minute",
});

/** Everything a rehearsal runs; the first time this builds for minutes and says so. */
export async function provideTools(root: string, log: Log): Promise<Tools> {
  const simnode = await provideBuilt(simnodeRecipe(root), log);
  const talosctl = await provideTalosctl(root, log);
  const pulumi = await providePulumi(root, log);
  const languageHost = languageHostOf(pulumi);
  return { pulumi, languageHost, talosctl, simnode, folders: [dirname(pulumi.path), dirname(talosctl.path)] };
}
