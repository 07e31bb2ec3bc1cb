/** A lab of our own on the Docker engine at hand: its folder, its stack, and the commands that people would type. */
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type Docker from "dockerode";
import { parse, stringify } from "yaml";

import { resolveConfig } from "../../config/resolve";
import { readStackFile } from "../../config/stack-file";
import type { DockerClusterPlan } from "../../config/types";
import { FactoryClient } from "../../ops/clients/factory";
import { dockerClient } from "../../ops/platforms/docker/client";
import { engineFromHere } from "../../ops/platforms/docker/engine";
import { startFactory } from "../../rehearsal/image-factory";
import { openSession, type RunResult, type Session } from "../../rehearsal/session";
import { startPluginProcess } from "../../rehearsal/session/plugin-process";
import { runCommand } from "../../rehearsal/session/run";
import { stopAll, type StartWorld } from "../../rehearsal/session/world";
import { provideTools } from "../../rehearsal/tools";
import { removeEverything } from "./engine";
import { ownStack, refusal } from "./given";

const PLUGINS = ["docker", "talos", "command", "kubernetes"];
const STACK = "lab";
/** A real cluster may take the whole of its limits, several times. */
const RUN_TIMEOUT_MS = 90 * 60_000;
/** What the user's engine and network need; the session's own environment knows neither. */
const PASSED_ON = [
  ...["DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CERT_PATH", "DOCKER_TLS_VERIFY"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
];

export interface RealRig {
  readonly plan: DockerClusterPlan;
  readonly docker: Docker;
  /** `unix:///var/run/docker.sock (default socket)` */
  readonly engine: string;
  readonly session: Session;
  /** Why something stands in for the real thing: the factory, plugins. */
  readonly standIns: readonly { readonly name: string; readonly reason: string }[];
  readonly config: Readonly<Record<string, unknown>>;
  /** Lays another `config` into the stack file; its salt stays. */
  writeConfig(config: Readonly<Record<string, unknown>>): void;
  pulumi(args: readonly string[]): Promise<RunResult>;
  /** `talos-fleet ARGS` */
  fleet(args: readonly string[]): Promise<RunResult>;
  close(): Promise<void>;
}

export class BadStackFile extends Error {
  override readonly name = "BadStackFile";
}

interface Given {
  readonly config: Readonly<Record<string, unknown>>;
  readonly files: readonly { readonly from: string; readonly to: string }[];
  readonly folder: string;
}

/** @throws BadStackFile, ConfigError */
function readGiven(file: string): Given {
  const { stack } = readStackFile(file);
  const folder = dirname(resolve(file));
  const { config = {} } = (parse(readFileSync(file, "utf8")) ?? {}) as { config?: Record<string, unknown> };
  const reason = refusal(config);
  if (reason !== undefined) throw new BadStackFile(`STACK_FILE: ${basename(file)}: ${reason}`);
  const isFile = (path: string) =>
    existsSync(resolve(folder, path)) && statSync(resolve(folder, path)).isFile();
  return { ...ownStack(config, stack, isFile), folder };
}

/** Undefined when it answers. */
async function whyNoFactory(factoryUrl: string): Promise<string | undefined> {
  try {
    await new FactoryClient({ factoryUrl, timeout: 8000, retries: 0 }).versions();
    return undefined;
  } catch {
    return `because ${factoryUrl} does not answer: a simulated one stands in`;
  }
}

export async function openRig(root: string, file: string, say: (line: string) => void): Promise<RealRig> {
  const given = readGiven(file);
  const tools = await provideTools(root, say);
  const missingFactory = await whyNoFactory(planOf(given.config, readerOf(given, root)).factoryUrl);
  const parts: { factoryUrl?: string; engine?: ReturnType<typeof engineFromHere> } = {};
  const startWorld: StartWorld = async () => {
    const factory = missingFactory === undefined ? undefined : await startFactory({});
    if (factory !== undefined) parts.factoryUrl = factory.url;
    return {
      overrides: {},
      secrets: {},
      servePlugins: async ({ cwd, env, except }) => {
        const names = PLUGINS.filter((name) => !except.includes(name));
        return startPluginProcess({ root, cwd, env, simnode: tools.simnode.path, names });
      },
      leftovers: () => [],
      // Also after Ctrl-C: what bears our name goes with us.
      stop: async () => {
        if (parts.engine !== undefined) await removeEverything(dockerClient(parts.engine));
        await stopAll(factory === undefined ? [] : [factory]);
      },
    };
  };
  const session = await openSession({ stack: STACK, root, tools }, startWorld);
  try {
    const config = {
      ...given.config,
      ...(parts.factoryUrl === undefined ? {} : { "talos-fleet:factoryUrl": parts.factoryUrl }),
    };
    copyGiven(given, session.project);
    const rig = rigOf({ session, config, missingFactory });
    parts.engine = engineFromHere(rig.plan.docker);
    return rig;
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** What the files of our folder will say, before there is one. */
const readerOf =
  ({ files, folder }: Given, root: string) =>
  (path: string): string => {
    const beside = files.find(({ to }) => to === path);
    return readFileSync(beside === undefined ? resolve(root, path) : resolve(folder, beside.from), "utf8");
  };

const copyGiven = ({ files, folder }: Given, project: string): void =>
  files.forEach(({ from, to }) => copyFileSync(resolve(folder, from), join(project, to)));

interface RigParts {
  readonly session: Session;
  readonly config: Readonly<Record<string, unknown>>;
  readonly missingFactory: string | undefined;
}

function rigOf({ session, config, missingFactory }: RigParts): RealRig {
  const file = join(session.project, `Pulumi.${STACK}.yaml`);
  const writeConfig = (keys: Readonly<Record<string, unknown>>): void => {
    const before = parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    writeFileSync(file, stringify({ ...before, config: keys }), { mode: 0o600 });
  };
  writeConfig(config);
  const plan = planOf(config, (path) => readFileSync(resolve(session.project, path), "utf8"));
  const engine = engineFromHere(plan.docker);
  const env = (clientTimeout: string) => ({
    ...userEnvironment(),
    TMPDIR: session.temp,
    PULUMI_K8S_CLIENT_TIMEOUT: clientTimeout,
  });
  const absent = PLUGINS.filter((name) => !session.realPlugins.includes(name));
  return {
    plan,
    docker: dockerClient(engine),
    engine: `${engine.host} (${engine.from})`,
    session,
    config,
    standIns: [
      ...absent.map((name) => ({
        name: `the real plugin ${name}`,
        reason: "because it is not installed: a stand-in serves it",
      })),
      ...(missingFactory === undefined ? [] : [{ name: "the Image Factory", reason: missingFactory }]),
    ],
    writeConfig,
    // A fresh API server needs long for its first answers; a preview must not wait for one that is away.
    pulumi: (args) =>
      session.pulumi(args, { env: env(args[0] === "preview" ? "5" : "120"), timeoutMs: RUN_TIMEOUT_MS }),
    fleet: (args) =>
      runCommand(
        {
          command: process.execPath,
          args: ["bin/talos-fleet", ...args],
          cwd: session.project,
          env: session.env,
        },
        { env: env("120"), timeoutMs: RUN_TIMEOUT_MS },
      ),
    close: () => session.close(),
  };
}

/** The session's HOME is its own: the user's Docker contexts are found by DOCKER_CONFIG. */
function userEnvironment(): Record<string, string> {
  const given = PASSED_ON.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(given),
    DOCKER_CONFIG: process.env["DOCKER_CONFIG"] ?? join(homedir(), ".docker"),
  };
}

function planOf(
  config: Readonly<Record<string, unknown>>,
  readText: (path: string) => string,
): DockerClusterPlan {
  const own = Object.entries(config).filter(([key]) => key.startsWith("talos-fleet:"));
  const raw = Object.fromEntries(own.map(([key, value]) => [key.slice("talos-fleet:".length), value]));
  return resolveConfig(raw, { stack: STACK, phase: "preview", readText }) as DockerClusterPlan;
}
