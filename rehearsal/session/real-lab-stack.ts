import { copyFileSync } from "node:fs";
import { join } from "node:path";

import type { DockerClient } from "../plugins/docker/client";
import type { Tools } from "../tools";
import type { WatchedSocket } from "./real-lab-socket";
import { runPulumiOnce } from "./pulumi-run";
import { runCommand } from "./run";
import type { Session } from "./session";
import { overrideStackFile } from "./stack-file";
import type { RunOptions, RunResult } from "./types";

export interface LabPlugins {
  /** Value of PULUMI_DEBUG_PROVIDERS. */
  current(): string;
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface RealLabParts {
  readonly session: Session;
  readonly tools: Tools;
  readonly socket: WatchedSocket;
  /** Talks to the engine itself. */
  readonly client: DockerClient;
  readonly plugins: LabPlugins;
}

const COMMON = ["--non-interactive", "--color", "never"];
const AT_ONCE = ["--yes", "--skip-preview"];

interface Listed {
  readonly Names?: readonly string[];
  readonly Name?: string;
}

/** One project with labs on a real engine: the stack `lab`, and others beside it. */
export class RealLab {
  readonly session: Session;
  readonly socket: WatchedSocket;
  readonly client: DockerClient;
  readonly plugins: LabPlugins;
  readonly #tools: Tools;

  constructor({ session, tools, socket, client, plugins }: RealLabParts) {
    this.session = session;
    this.socket = socket;
    this.client = client;
    this.plugins = plugins;
    this.#tools = tools;
  }

  /** Environment of people's shells here: pulumi, talosctl and node on PATH, the session's HOME and state. */
  get env(): Readonly<Record<string, string>> {
    return { ...this.session.env, PULUMI_DEBUG_PROVIDERS: this.plugins.current() };
  }

  async pulumi(stack: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    const { project, folder } = this.session;
    const place = { cwd: project, env: this.env, temp: join(folder, "tmp") };
    const command = this.#tools.pulumi.path;
    return runPulumiOnce({ command, args: [...args, "--stack", stack, ...COMMON], ...place }, options);
  }

  up(stack: string, options: RunOptions = {}): Promise<RunResult> {
    return this.pulumi(stack, ["up", ...AT_ONCE, "--skip-plugin-pre-install"], options);
  }

  refresh(stack: string): Promise<RunResult> {
    return this.pulumi(stack, ["refresh", ...AT_ONCE]);
  }

  destroy(stack: string): Promise<RunResult> {
    return this.pulumi(stack, ["destroy", ...AT_ONCE, "--skip-plugin-pre-install"]);
  }

  /** Exit code 0 only when nothing would change. */
  previewEmpty(stack: string): Promise<RunResult> {
    return this.pulumi(stack, ["preview", "--expect-no-changes", "--diff", "--skip-plugin-pre-install"]);
  }

  /** `talos-fleet ARGS` as a user of this project calls it. */
  command(args: readonly string[]): Promise<RunResult> {
    const { project } = this.session;
    return runCommand({
      command: process.execPath,
      args: ["bin/talos-fleet", ...args],
      cwd: project,
      env: this.env,
    });
  }

  talosctl(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<RunResult> {
    const { project } = this.session;
    return runCommand({
      command: this.#tools.talosctl.path,
      args,
      cwd: project,
      env: { ...this.env, ...env },
    });
  }

  /** A second stack file, made from the first, and its stack. */
  async addStack(stack: string, keys: Readonly<Record<string, unknown>>): Promise<void> {
    const { project } = this.session;
    const file = join(project, `Pulumi.${stack}.yaml`);
    copyFileSync(join(project, "Pulumi.lab.yaml"), file);
    overrideStackFile(file, keys);
    const init = await this.pulumi(stack, ["stack", "init"]);
    if (init.code !== 0) throw new Error(`pulumi stack init ${stack} failed:\n${init.stdout}${init.stderr}`);
  }

  setKeys(stack: string, keys: Readonly<Record<string, unknown>>): void {
    overrideStackFile(join(this.session.project, `Pulumi.${stack}.yaml`), keys);
  }

  /** Everything on the engine but images: `container lab-worker-1`, sorted. */
  async engineObjects(): Promise<string[]> {
    const containers = await this.client.call<Listed[]>("/containers/json", { query: { all: "1" } });
    const volumes = await this.client.call<{ Volumes?: Listed[] | null }>("/volumes");
    const networks = await this.client.call<Listed[]>("/networks", {
      query: { filters: '{"type":["custom"]}' },
    });
    return [
      ...containers.map(({ Names }) => `container ${(Names?.[0] ?? "").slice(1)}`),
      ...(volumes.Volumes ?? []).map(({ Name }) => `volume ${Name ?? ""}`),
      ...networks.map(({ Name }) => `network ${Name ?? ""}`),
    ].sort();
  }

  async close(): Promise<void> {
    await this.plugins.stop();
    await this.session.close();
  }
}
