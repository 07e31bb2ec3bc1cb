import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

import type { ServedPlugins } from "../plugins/framework/serve";

const GRACE_MS = 3000;

export interface PluginProcessOptions {
  readonly root: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly simnode: string;
  readonly names: readonly string[];
}

export interface PluginProcess extends ServedPlugins {
  /** SIGKILL: what is under way stays as it is. */
  kill(): Promise<void>;
}

/** Starts `plugin-host.ts` and waits until its plugins listen. It ends with this process. */
export async function startPluginProcess(options: PluginProcessOptions): Promise<PluginProcess> {
  const { root, cwd, env, simnode, names } = options;
  const args = [
    "--require",
    join(root, "bin/register.cjs"),
    join(root, "rehearsal/session/plugin-host.ts"),
    simnode,
    ...names,
  ];
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...env },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const errors: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
  child.stdin.on("error", () => undefined);
  const debugProviders = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("error", reject);
    child.once("exit", (code) =>
      reject(new Error(`the plugin stand-ins ended with code ${code ?? "none"}:\n${errors.join("")}`)),
    );
  });
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await Promise.race([exited, sleep(GRACE_MS, undefined, { ref: false })]);
    child.kill("SIGKILL");
    await exited;
  };
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };
  return { debugProviders, stop, kill };
}
