import { appendFileSync, copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

import { closeOnEnd, forgetOnEnd } from "./cleanup";
import { killLeftProcesses, leftProcesses } from "./leftovers";
import type { LeftProcess } from "./leftovers";
import type { SessionFolders } from "./project-folder";
import { runPulumiOnce } from "./pulumi-run";
import type { RunOptions, RunResult, SessionOptions, StackName, Stoppable } from "./types";
import { stopAll } from "./world";
import type { World } from "./world";

const COMMON = ["--non-interactive", "--color", "never"];
const PLUGINS = ["--skip-plugin-pre-install"];
const AT_ONCE = ["--yes", "--skip-preview"];

export interface PreviewOptions extends RunOptions {
  readonly json?: boolean;
  readonly diff?: boolean;
  readonly expectNoChanges?: boolean;
}

export interface SessionParts {
  readonly options: SessionOptions;
  readonly folders: SessionFolders;
  readonly env: Readonly<Record<string, string>>;
  readonly world: World;
  readonly started: readonly Stoppable[];
  readonly realPlugins: readonly string[];
}

/** One rehearsal: a stack of this checkout on Pulumi's real engine, with a simulated world around it. */
export class Session {
  readonly stack: StackName;
  readonly world: World;
  /** What `pulumi` runs with; take it to run talosctl and the like at the same place. */
  readonly env: Readonly<Record<string, string>>;
  /** The project's folder of this session (its `.lab` is there). */
  readonly project: string;
  readonly folder: string;
  /** Everything that pulumi printed. Secrets are never asked for there. */
  readonly log: string;
  /** Plugins of the user's own Pulumi that are used; the others stand in. */
  readonly realPlugins: readonly string[];
  /** `TMPDIR` of all that it runs. */
  readonly temp: string;
  readonly #parts: SessionParts;
  #originsLogged = 0;
  #closing: Promise<void> | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.stack = parts.options.stack;
    this.world = parts.world;
    this.env = parts.env;
    this.realPlugins = parts.realPlugins;
    this.project = parts.folders.project;
    this.temp = parts.folders.temp;
    this.folder = parts.folders.folder;
    this.log = join(this.folder, `${this.stack}.log`);
    closeOnEnd(this.folder, async () => this.close());
  }

  /** Runs `pulumi` with these arguments on this stack. Does not throw for a failed run: look at `code`. */
  async pulumi(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    const result = await runPulumiOnce(
      {
        command: this.#parts.options.tools.pulumi.path,
        args: [...args, "--stack", this.stack, ...COMMON],
        cwd: this.project,
        env: this.env,
        temp: this.#parts.folders.temp,
      },
      options,
    );
    if (!args.includes("--show-secrets")) {
      appendFileSync(
        this.log,
        `$ pulumi ${args.join(" ")}\n${result.stdout}${result.stderr}${this.#newOrigins()}(exit code ${result.code})\n\n`,
        { mode: 0o600 },
      );
    }
    return result;
  }

  /** Ids that the Image Factory gave since it was last asked here, and whether they prove anything. */
  #newOrigins(): string {
    const origins = this.world.factory?.origins ?? [];
    const lines = origins.slice(this.#originsLogged).map((line) => `Image Factory: ${line}\n`);
    this.#originsLogged = origins.length;
    return lines.join("");
  }

  async preview(options: PreviewOptions = {}): Promise<RunResult> {
    const flags = [
      options.json === true && "--json",
      options.diff === true && "--diff",
      options.expectNoChanges === true && "--expect-no-changes",
    ];
    return this.pulumi(["preview", ...PLUGINS, ...flags.filter((flag) => flag !== false)], options);
  }

  async up(options: RunOptions = {}): Promise<RunResult> {
    return this.pulumi(["up", ...AT_ONCE, ...PLUGINS], options);
  }

  async refresh(options: RunOptions = {}): Promise<RunResult> {
    return this.pulumi(["refresh", ...AT_ONCE], options);
  }

  async destroy(options: RunOptions = {}): Promise<RunResult> {
    return this.pulumi(["destroy", ...AT_ONCE, ...PLUGINS], options);
  }

  /** Lifts the protection that `deletionProtection` puts on secrets and control planes. */
  async unprotect(): Promise<RunResult> {
    return this.pulumi(["state", "unprotect", "--all", "--yes"]);
  }

  /** The stack's outputs; secret ones read "[secret]" unless asked for. */
  async outputs({ showSecrets = false } = {}): Promise<Readonly<Record<string, unknown>>> {
    const result = await this.pulumi([
      "stack",
      "output",
      "--json",
      ...(showSecrets ? ["--show-secrets"] : []),
    ]);
    return JSON.parse(this.#mustSucceed("stack output", result).stdout) as Record<string, unknown>;
  }

  /** The deployment as stored: secrets are ciphertext. */
  async exportState(): Promise<{
    readonly deployment: { readonly resources?: readonly Record<string, unknown>[] };
  }> {
    const result = this.#mustSucceed("stack export", await this.pulumi(["stack", "export"]));
    return JSON.parse(result.stdout) as { deployment: { resources?: Record<string, unknown>[] } };
  }

  /** Processes of this session that live now. After a destroy only the simulators' own may; after close none. */
  leftovers(): readonly LeftProcess[] {
    return leftProcesses(this.folder);
  }

  /** Copies the log to the checkout's `.rehearsal/` and gives its path. */
  keepLog(): string {
    const folder = join(this.#parts.options.root, ".rehearsal");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const kept = join(folder, `${basename(this.folder)}-${this.stack}.log`);
    if (existsSync(this.log)) copyFileSync(this.log, kept);
    return kept;
  }

  /** Stops everything and removes the session's folder. Can be called again. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await stopAll(this.#parts.started);
    } finally {
      killLeftProcesses(this.folder);
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
      forgetOnEnd(this.folder);
    }
  }

  #mustSucceed(what: string, result: RunResult): RunResult {
    if (result.code !== 0)
      throw new Error(`pulumi ${what} (${this.stack}) failed:\n${result.stdout}${result.stderr}`);
    return result;
  }
}
