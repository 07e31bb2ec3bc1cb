import Docker from "dockerode";
import type { DockerEngine } from "../../../config/docker-engine";
import { enginePort } from "../../../config/platforms/docker/engine-address";

const TIMEOUT_MS = 10_000;

/** A client of exactly the engine that the program uses. @throws when its address is none that can be talked to. */
export function dockerClient(engine: DockerEngine, timeout = TIMEOUT_MS): Docker {
  return careful(new Docker({ ...target(engine), timeout }), timeout);
}

function target({ host, tls }: DockerEngine): Docker.DockerOptions {
  const url = URL.parse(host);
  if (url === null) throw noAddress(host);
  switch (url.protocol) {
    case "unix:":
      return { socketPath: url.pathname };
    case "npipe:":
      // As it was written: URL takes the dot of `//./pipe/name` for a step of a path.
      return { socketPath: host.slice("npipe://".length) };
    case "ssh:": {
      const port = Number(url.port === "" ? SSH_PORT : url.port);
      return { protocol: "ssh", host: url.hostname, port, username: decodeURIComponent(url.username) };
    }
    case "tcp:":
    case "http:":
    case "https:": {
      const secure = tls !== undefined || url.protocol === "https:";
      return {
        host: url.hostname,
        port: enginePort(host, secure),
        protocol: secure ? "https" : "http",
        ...tls,
      };
    }
    default:
      throw noAddress(host);
  }
}

const SSH_PORT = 22;

const noAddress = (host: string): Error =>
  new Error(
    `Docker engine: ${withoutLogin(host)}: is not an address that can be talked to; write it like ` +
      "unix:///var/run/docker.sock, tcp://host:2376 or ssh://user@host",
  );

const withoutLogin = (host: string): string => host.replace(/\/\/[^/]*@/, "//");

type Options = Record<string, unknown>;

/** What `docker-modem` has besides its types. */
interface Modem {
  dial(options: Options, callback: (error: unknown, data: unknown) => void): void;
  buildRequest(options: Options, ...rest: unknown[]): void;
}

/**
 * The library follows redirects by a request whose errors nobody hears, which ends the process, and never calls back when
 * an answer breaks off half way. No engine has a reason to redirect.
 */
function careful(docker: Docker, timeout: number): Docker {
  const modem = docker.modem as unknown as Modem;
  const [dial, buildRequest] = [modem.dial.bind(modem), modem.buildRequest.bind(modem)];
  modem.buildRequest = (options, ...rest) => buildRequest({ ...options, maxRedirects: 0 }, ...rest);
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
