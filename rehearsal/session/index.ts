import { rmSync } from "node:fs";
import { join } from "node:path";

import { sessionEnvironment } from "./environment";
import { killLeftProcesses } from "./leftovers";
import { linkInstalledPlugins } from "./plugin-folders";
import { makeFolders } from "./project-folder";
import type { SessionFolders } from "./project-folder";
import { Session } from "./session";
import { overrideStackFile } from "./stack-file";
import type { SessionOptions, Stoppable } from "./types";
import { stopAll } from "./world";
import type { StartWorld, World } from "./world";

export type { Session } from "./session";
export type { RunResult, SessionOptions, StackName } from "./types";

/** Loaded when needed: an empty world (`bench/`, tests) has no use for the simulators. */
const startStackWorld: StartWorld = async (context) =>
  (await import("./stack-worlds")).startStackWorld(context);

async function prepareStack(session: Session, world: World): Promise<void> {
  const init = await session.pulumi(["stack", "init"]);
  if (init.code !== 0) throw new Error(`pulumi stack init failed:\n${init.stdout}${init.stderr}`);
  for (const [key, value] of Object.entries(world.secrets)) {
    const set = await session.pulumi(["config", "set", "--secret", key], { stdin: value });
    if (set.code !== 0) throw new Error(`pulumi config set ${key} failed:\n${set.stdout}${set.stderr}`);
  }
}

async function start(
  options: SessionOptions,
  folders: SessionFolders,
  startWorld: StartWorld,
): Promise<Session> {
  const started: Stoppable[] = [];
  try {
    const { root, stack, tools } = options;
    const world = await startWorld({ root, stack, tools, folder: folders.world });
    started.push(world);
    const realPlugins = linkInstalledPlugins(root, folders.pulumiHome);
    const own = sessionEnvironment(folders, tools, options.passphrase);
    const plugins = await world.servePlugins({ cwd: folders.project, env: own, except: realPlugins });
    started.push(plugins);
    const stackFile = join(folders.project, `Pulumi.${stack}.yaml`);
    overrideStackFile(stackFile, world.overrides);
    overrideStackFile(stackFile, options.overrides ?? {});
    const attached = plugins.debugProviders === "" ? {} : { PULUMI_DEBUG_PROVIDERS: plugins.debugProviders };
    const session = new Session({
      options,
      folders,
      env: { ...own, ...attached },
      world,
      started,
      realPlugins,
    });
    await prepareStack(session, world);
    return session;
  } catch (error) {
    await stopAll(started).catch(() => undefined);
    throw error;
  }
}

/**
 * Opens a rehearsal of one stack. The checkout is not written to: the program runs from a private folder of links.
 * Close it; it also goes when this process ends.
 */
export async function openSession(
  options: SessionOptions,
  startWorld: StartWorld = startStackWorld,
): Promise<Session> {
  const folders = makeFolders(options.root, options.stack);
  try {
    return await start(options, folders, startWorld);
  } catch (error) {
    killLeftProcesses(folders.folder);
    rmSync(folders.folder, { recursive: true, force: true });
    throw error;
  }
}
