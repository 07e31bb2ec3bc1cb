/** Runs the built `pulumi` as a person would, with stand-ins for the plugins that it cannot download. */
import { spawn } from "node:child_process";
import { delimiter } from "node:path";
import { startPluginProcess } from "./session/plugin-process";
import type { Say } from "./demo/steps";
import { provideTools } from "./tools";

const STAND_INS = ["docker", "hcloud", "talos", "command", "kubernetes"];

export interface PulumiRun {
  /** The checkout, which is also the project. */
  readonly root: string;
  readonly args: readonly string[];
  readonly note: Say;
}

/** Gives pulumi's exit code. Standard input and output are the caller's. */
export async function runPulumi({ root, args, note }: PulumiRun): Promise<number> {
  const tools = await provideTools(root, note);
  const { pulumi } = tools;
  note("no Pulumi is installed here: the CLI is built from its Go module, and stand-ins serve its plugins");
  const env = {
    ...process.env,
    PATH: [...tools.folders, process.env["PATH"] ?? ""].join(delimiter),
    TALOSCTL: tools.talosctl.path,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
  };
  const simnode = tools.simnode.path;
  const plugins = await startPluginProcess({ root, cwd: root, env: defined(env), simnode, names: STAND_INS });
  try {
    const attached = { ...env, PULUMI_DEBUG_PROVIDERS: plugins.debugProviders };
    return await exitCode({ command: pulumi.path, args: [...args, ...flags(args)], env: attached });
  } finally {
    await plugins.stop();
  }
}

const WITH_PLUGINS = new Set(["preview", "up", "refresh", "destroy"]);

/** The pre-install step looks for plugins on disk, where stand-ins are not. */
const flags = ([verb = ""]: readonly string[]): string[] =>
  WITH_PLUGINS.has(verb) ? ["--skip-plugin-pre-install"] : [];

const defined = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

interface Call {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

const exitCode = ({ command, args, env }: Call): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { stdio: "inherit", env });
    // Ctrl-C reaches pulumi by itself; we only wait for it to end.
    const wait = () => undefined;
    process.on("SIGINT", wait);
    child.once("error", reject);
    child.once("exit", (code) => {
      process.off("SIGINT", wait);
      resolve(code ?? 1);
    });
  });
