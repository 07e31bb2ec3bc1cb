import Docker from "dockerode";
import type { DockerEngine } from "../../../config/docker-engine";
import { show } from "../../../base/show";
import {
  type EngineTarget,
  notAnAddress,
  readEngineAddress,
} from "../../../config/platforms/docker/engine-address";

const TIMEOUT_MS = 10_000;

/** A client of exactly the engine that the program uses. @throws when its address is none that can be talked to. */
export function dockerClient(engine: DockerEngine, timeout = TIMEOUT_MS): Docker {
  const target = targetOf(engine);
  return careful(asSaid(options(target, { tls: engine.tls, timeout })), target, timeout);
}

/** The library adds what DOCKER_HOST says to what it is told, though the engine was chosen before. */
function asSaid(options: Docker.DockerOptions): Docker {
  const { DOCKER_HOST: chosen } = process.env;
  delete process.env["DOCKER_HOST"];
  try {
    return new Docker(options);
  } finally {
    if (chosen !== undefined) process.env["DOCKER_HOST"] = chosen;
  }
}

function targetOf({ host, tls }: DockerEngine): EngineTarget {
  const target = readEngineAddress(host, tls !== undefined);
  if (!("rule" in target)) return target;
  const { rule, repair } = target.rule === notAnAddress.rule ? unusable : target;
  throw new Error(`Docker engine: ${show(host)}: ${rule}; ${repair}`);
}

const unusable = {
  rule: "is not an address that can be talked to",
  repair: `${notAnAddress.repair}, tcp://host:2376 or ssh://user@host`,
};

interface Asked {
  readonly tls: DockerEngine["tls"];
  readonly timeout: number;
}

/** What the library's types leave out. */
type LibraryOptions = Docker.DockerOptions & { readonly connectionTimeout?: number };

function options(target: EngineTarget, { tls, timeout }: Asked): LibraryOptions {
  switch (target.kind) {
    case "socket":
      return { socketPath: target.path, timeout };
    case "ssh": {
      const { host, port, user: username } = target;
      const agent = process.env["SSH_AUTH_SOCK"];
      const sshOptions = { readyTimeout: timeout, ...(agent === undefined ? {} : { agent }) };
      // `timeout` would be set on SSH's stream, which has none: the process would end.
      return { protocol: "ssh", host, port, username, sshOptions, connectionTimeout: timeout };
    }
    case "tcp": {
      const { host, port, secure } = target;
      return { protocol: secure ? "https" : "http", host, port, ...tls, timeout };
    }
  }
}

type Options = Record<string, unknown>;

/** What `docker-modem` has besides its types. */
interface Modem {
  dial(options: Options, callback: (error: unknown, data: unknown) => void): void;
  buildRequest(options: Options, ...rest: unknown[]): void;
}

/** Stands in the requests that go through SSH, as in those of Docker's own client; nobody looks it up. */
const SSH_URL = "http://engine.invalid";

/**
 * The library follows redirects by a request whose errors nobody hears, which ends the process, and never calls back when
 * an answer breaks off half way. No engine has a reason to redirect.
 */
function careful(docker: Docker, target: EngineTarget, timeout: number): Docker {
  const modem = docker.modem as unknown as Modem;
  const buildRequest = modem.buildRequest.bind(modem);
  const basePath = target.kind === "tcp" ? target.basePath : "";
  modem.buildRequest = (options, ...rest) =>
    buildRequest({ ...options, path: `${basePath}${String(options["path"])}`, maxRedirects: 0 }, ...rest);
  // The library makes URLs of `ssh` and the host that are none, of which Node warns; it connects by another way.
  const seen = target.kind === "ssh" ? { host: { value: SSH_URL } } : {};
  const dial = modem.dial.bind(Object.create(modem, seen));
  modem.dial = (options, callback) => {
    let open = true;
    const end = (error: unknown, data: unknown) => {
      clearTimeout(timer);
      if (open) callback(error, data);
      open = false;
    };
    const late = new Error(`the engine's answer did not end within ${timeout / 1000} s`);
    const timer = setTimeout(() => end(late, null), timeout + GRACE_MS);
    dial(options, end);
  };
  return docker;
}

/** The library's own time-out comes first where it works. */
const GRACE_MS = 500;
