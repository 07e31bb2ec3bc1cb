import * as http from "node:http";
import * as pulumi from "@pulumi/pulumi";
import type { DockerEngine } from "../../../config/docker-engine";
import { readEngineAddress } from "../../../config/platforms/docker/engine-address";

/** The plugin pings every engine but an ssh:// one, even in a preview: previews need no engine. */
const NO_ENGINE = "ssh://preview.invalid";
const PING = "/_ping";
const PING_TIMEOUT_MS = 1000;

/** The engine's host; in a preview without an engine, one that the plugin does not ping. */
export async function engineHost(engine: DockerEngine): Promise<string> {
  const asked = pulumi.runtime.isDryRun() && !engine.host.startsWith("ssh://");
  return asked && !(await answers(engine)) ? NO_ENGINE : engine.host;
}

/** Where an engine is asked whether it is there. */
export function pingTarget({
  host,
  tls,
}: DockerEngine): Pick<http.RequestOptions, "socketPath" | "host" | "port" | "path"> {
  const target = readEngineAddress(host, tls !== undefined);
  // Every source of an engine judges the address before.
  if ("rule" in target) throw new Error(`the engine's address ${target.rule}; this is a bug in talos-fleet`);
  if (target.kind === "socket") return { socketPath: target.path };
  const { host: name, port } = target;
  const base = target.kind === "tcp" ? target.basePath : "";
  return { host: name, port, ...(base === "" ? {} : { path: `${base}${PING}` }) };
}

function answers(engine: DockerEngine): Promise<boolean> {
  return new Promise((resolve) => {
    const request = http.get({ path: PING, ...pingTarget(engine), timeout: PING_TIMEOUT_MS }, (response) => {
      response.resume();
      resolve(true);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", (error: NodeJS.ErrnoException) => {
      // A TLS engine answers plain HTTP with a reset or a parse error: it is there.
      resolve(error.code === "ECONNRESET" || (error.code?.startsWith("HPE_") ?? false));
    });
  });
}
