import { chmodSync, copyFileSync, existsSync, linkSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { makeFolder } from "./build";
import { contentKey, dropUnused, touch } from "./cache";
import type { BuildContext, Tool } from "./types";

const HOST_FILES = ["pulumi-language-nodejs", "language-host.cjs"];
const DYNAMIC = "pulumi-resource-pulumi-nodejs";

function link(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** Pulumi looks for its language host and the dynamic provider in its own (real) folder: one that has all of them. */
export async function assemblePulumi(built: Tool, root: string, context: BuildContext): Promise<Tool> {
  const host = join(root, "toolchain/language-host");
  const dynamic = join(root, "node_modules/@pulumi/pulumi", DYNAMIC);
  if (!existsSync(dynamic)) throw new Error(`${dynamic}: is missing; run npm ci`);
  const folder = join(
    context.cache,
    `with-host-${contentKey([host], [built.path, readFileSync(dynamic, "utf8")])}`,
  );
  if (!existsSync(folder)) {
    dropUnused(context.cache, "with-host");
    await makeFolder(folder, async (draft) => {
      link(built.path, join(draft, "pulumi"));
      for (const name of HOST_FILES) copyFileSync(join(host, name), join(draft, name));
      copyFileSync(dynamic, join(draft, DYNAMIC));
      for (const name of ["pulumi", "pulumi-language-nodejs", DYNAMIC]) chmodSync(join(draft, name), 0o755);
    });
  }
  touch(folder);
  return { ...built, path: join(folder, "pulumi") };
}
