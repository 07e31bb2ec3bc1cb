/** Which Docker engine is meant. Pure but for the reads it is given. */
import { createHash } from "node:crypto";
import { posix } from "node:path";
import { z } from "zod";
import { ConfigError } from "../base/faults";
import { notShown, show } from "../base/show";
import { readEngineAddress } from "./platforms/docker/engine-address";

export interface DockerEngine {
  /** `unix:///var/run/docker.sock`, `tcp://host:port`, `ssh://user@host`. */
  readonly host: string;
  /** Where the choice came from, for people: `DOCKER_HOST`, `context colima (current)`. */
  readonly from: string;
  /** PEM material of a context with TLS. */
  readonly tls?: { readonly ca: string; readonly cert: string; readonly key: string };
}

export interface EngineSources {
  /** Keys `docker.host` and `docker.context`. */
  readonly host?: string | undefined;
  readonly context?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Undefined when the file does not exist. */
  readonly readText: (path: string) => string | undefined;
}

const DEFAULT_ENGINE = { host: "unix:///var/run/docker.sock", from: "default socket" };

const cliConfig = z.looseObject({ currentContext: z.string().optional() });
const contextMeta = z.looseObject({
  Endpoints: z.looseObject({ docker: z.looseObject({ Host: z.string() }) }),
});

/** In order: `docker.host`, `docker.context`, DOCKER_HOST, DOCKER_CONTEXT, the current context, the default socket. */
export function findEngine(sources: EngineSources): DockerEngine {
  const { env } = sources;
  if (sources.host !== undefined) return { host: sources.host, from: "docker.host" };
  if (sources.context !== undefined) return fromContext(sources, sources.context, "docker.context");
  if (isSet(env["DOCKER_HOST"])) return withTls(fromVariable("DOCKER_HOST", env["DOCKER_HOST"]), sources);
  if (isSet(env["DOCKER_CONTEXT"])) return fromContext(sources, env["DOCKER_CONTEXT"], "DOCKER_CONTEXT");
  const current = currentContext(sources);
  return current === undefined ? DEFAULT_ENGINE : fromContext(sources, current, "current context");
}

const isSet = (value: string | undefined): value is string => value !== undefined && value !== "";

function fromVariable(name: string, host: string): DockerEngine {
  requireAddress(name, host);
  return { host, from: name };
}

function requireAddress(key: string, host: string): void {
  const read = readEngineAddress(host);
  if (!("rule" in read)) return;
  throw new ConfigError([{ key, value: show(host), rule: read.rule, repair: read.repair }]);
}

/** As Docker's own client does it: DOCKER_TLS_VERIFY switches TLS on, DOCKER_CERT_PATH says where its files are. */
function withTls(engine: DockerEngine, sources: EngineSources): DockerEngine {
  const { env } = sources;
  // Sockets and SSH need none, as Docker's own client knows.
  if (!isSet(env["DOCKER_TLS_VERIFY"]) || !/^(tcp|https?):/.test(engine.host)) return engine;
  const folder = isSet(env["DOCKER_CERT_PATH"]) ? env["DOCKER_CERT_PATH"] : configFolder(sources);
  const tls = tlsFiles(folder, sources);
  if (tls !== undefined) return { ...engine, tls };
  const rule = `asks for TLS, and ${folder} does not hold ca.pem, cert.pem and key.pem`;
  const repair = "put them there, set DOCKER_CERT_PATH, or unset DOCKER_TLS_VERIFY";
  throw new ConfigError([{ key: "DOCKER_TLS_VERIFY", value: show(env["DOCKER_TLS_VERIFY"]), rule, repair }]);
}

function tlsFiles(folder: string, { readText }: EngineSources): DockerEngine["tls"] {
  const [ca, cert, key] = ["ca.pem", "cert.pem", "key.pem"].map((file) => readText(posix.join(folder, file)));
  return ca === undefined || cert === undefined || key === undefined ? undefined : { ca, cert, key };
}

const configFolder = ({ env, home }: EngineSources): string =>
  isSet(env["DOCKER_CONFIG"]) ? env["DOCKER_CONFIG"] : posix.join(home, ".docker");

function currentContext(sources: EngineSources): string | undefined {
  const file = posix.join(configFolder(sources), "config.json");
  const text = sources.readText(file);
  return text === undefined ? undefined : readJson(file, text, cliConfig).currentContext;
}

/** Names the file, and shows nothing of it: it may hold the credentials of registries. */
function readJson<Schema extends z.ZodType>(file: string, text: string, schema: Schema): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    const rule = "is not the JSON that Docker's own client writes";
    const repair = "correct the file, or name the engine in docker.host";
    throw new ConfigError([{ key: file, value: notShown, rule, repair }]);
  }
}

function fromContext(sources: EngineSources, name: string, from: string): DockerEngine {
  if (name === "default") return DEFAULT_ENGINE;
  const digest = createHash("sha256").update(name).digest("hex");
  const folder = posix.join(configFolder(sources), "contexts");
  const file = posix.join(folder, "meta", digest, "meta.json");
  const meta = sources.readText(file);
  if (meta === undefined) {
    const repair = '"docker context ls" lists those that exist';
    throw new ConfigError([
      { key: from, value: show(name), rule: "there is no Docker context of this name", repair },
    ]);
  }
  const host = readJson(file, meta, contextMeta).Endpoints.docker.Host;
  const tls = tlsFiles(posix.join(folder, "tls", digest, "docker"), sources);
  const engine = { host, from: `${from} ${name}` };
  requireAddress(engine.from, host);
  return tls === undefined ? engine : { ...engine, tls };
}
