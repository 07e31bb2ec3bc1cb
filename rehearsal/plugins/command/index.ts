/** A stand-in for the command plugin: `command:local:Command`, run by `/bin/sh -c` on this machine. */
import { randomBytes } from "node:crypto";
import { objectDiff, topLevelNames } from "../framework/object-diff";
import type {
  CreateRequest,
  DiffRequest,
  DiffResponse,
  PluginStandIn,
  Props,
  ResourceStandIn,
} from "../framework/types";
import { plainProps, text, unknown } from "../framework/values";
import { run } from "./run";

export interface CommandOptions {
  /** The program's folder, where commands without `dir` run; this process's own when left out. */
  readonly cwd?: string;
  /** What commands inherit: the environment of the `pulumi` that would start the real plugin. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const outputs = ["stdout", "stderr", "assets", "archive"];
const inputsOf = (state: Props): Props =>
  Object.fromEntries(Object.entries(state).filter(([key]) => !outputs.includes(key)));
const outputOf = (state: Props) => ({
  stdout: text(state, "stdout") ?? "",
  stderr: text(state, "stderr") ?? "",
});
const nothing = { stdout: "", stderr: "" };

/** Every change is an update: what replaces on `triggers` is the SDK's own option. */
async function diff({ olds, news, ignoreChanges }: DiffRequest): Promise<DiffResponse> {
  const detailedDiff = objectDiff(inputsOf(olds), news, ignoreChanges);
  const diffs = topLevelNames(detailedDiff);
  return {
    changes: diffs.length > 0 ? "DIFF_SOME" : "DIFF_NONE",
    diffs,
    detailedDiff,
    replaces: [],
    deleteBeforeReplace: false,
  };
}

function commandResource(options: CommandOptions): ResourceStandIn {
  const perform = (
    commandLine: string,
    request: Pick<CreateRequest, "inputs" | "signal" | "log">,
    before = nothing,
  ) => {
    const place = { cwd: options.cwd ?? process.cwd(), env: options.env ?? process.env };
    return run({
      commandLine,
      inputs: plainProps(request.inputs),
      before,
      signal: request.signal,
      log: request.log,
      ...place,
    });
  };
  return {
    check: async ({ news }) => ({ inputs: news, failures: [] }),
    diff,
    create: async (request) => {
      const id = `${request.name}${randomBytes(4).toString("hex")}`;
      if (request.preview) return { id, state: { ...request.inputs, stdout: unknown, stderr: unknown } };
      const commandLine = text(request.inputs, "create");
      const result = commandLine === undefined ? nothing : await perform(commandLine, request);
      return { id, state: { ...request.inputs, ...result } };
    },
    read: async ({ id, state, inputs }) => ({ id, state, inputs }),
    update: async (request) => {
      if (request.preview) return { state: { ...request.inputs, stdout: unknown, stderr: unknown } };
      const commandLine = text(request.inputs, "update") ?? text(request.inputs, "create");
      const before = outputOf(request.olds);
      const result = commandLine === undefined ? before : await perform(commandLine, request, before);
      return { state: { ...request.inputs, ...result } };
    },
    delete: async (request) => {
      const commandLine = text(request.state, "delete");
      if (commandLine !== undefined)
        await perform(commandLine, { ...request, inputs: inputsOf(request.state) }, outputOf(request.state));
    },
  };
}

export const commandPlugin = (options: CommandOptions = {}): PluginStandIn => ({
  name: "command",
  version: "1.2.1",
  capabilities: { acceptSecrets: true, supportsPreview: true, acceptResources: true, acceptOutputs: true },
  checkConfig: async ({ news }) => ({
    inputs: { ...news, "__pulumi-go-provider-version": "1.2.0" },
    failures: [],
  }),
  configure: async () => undefined,
  resources: { "command:local:Command": commandResource(options) },
  functions: {},
});
