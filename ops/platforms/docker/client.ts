import Docker from "dockerode";
import type { DockerEngine } from "../../../config/docker-engine";

const TIMEOUT_MS = 10_000;

/** A client of exactly the engine that the program uses. */
export function dockerClient({ host, tls }: DockerEngine): Docker {
  const url = new URL(host);
  const timeout = TIMEOUT_MS;
  if (url.protocol === "unix:" || url.protocol === "npipe:")
    return new Docker({ socketPath: url.pathname, timeout });
  if (url.protocol === "ssh:") {
    return new Docker({
      protocol: "ssh",
      host: url.hostname,
      username: decodeURIComponent(url.username),
      timeout,
    });
  }
  const port = url.port === "" ? (tls === undefined ? 2375 : 2376) : Number(url.port);
  const target = { host: url.hostname, port, timeout };
  return tls === undefined
    ? new Docker({ ...target, protocol: "http" })
    : new Docker({ ...target, protocol: "https", ca: tls.ca, cert: tls.cert, key: tls.key });
}
