import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { makeFolder } from "./build";
import { cacheRoot, dropUnused, touch } from "./cache";
import type { Log, Tool } from "./types";

const run = promisify(execFile);

/** The releases beside the oldest one (package.json, engines) that `make test-long` runs the program on. */
export const OTHER_NODES = ["22.23.5", "24.22.3"] as const;

/** A Node of that version, from the npm packages that carry its executable. */
export async function provideNode(version: string, log: Log): Promise<Tool> {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(cacheRoot(), `${name}-${version}`);
  const path = join(folder, "node_modules", name, "bin/node");
  if (!existsSync(path)) {
    log(`fetching Node ${version} (npm package ${name}) ...`);
    dropUnused(cacheRoot(), name);
    const args = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", `${name}@${version}`];
    await makeFolder(folder, async (draft) => {
      await run("npm", ["install", "--prefix", draft, ...args]);
    });
  }
  const { stdout } = await run(path, ["--version"]);
  if (stdout.trim() !== `v${version}`) throw new Error(`${path}: is ${stdout.trim()}, not v${version}`);
  touch(folder);
  return { name: "node", path, version: `v${version}`, origin: "installed" };
}
