import * as http from "node:http";
import * as pulumi from "@pulumi/pulumi";
import type { DockerEngine } from "../../../config/docker-engine";

/** The plugin pings every engine but an ssh:// one, even in a preview: previews need no engine. */
const NO_ENGINE = "ssh://preview.invalid";
const PING_TIMEOUT_MS = 1000;

/** The engine's host; in a preview without an engine, one that the plugin does not ping. */
export async function engineHost(engine: DockerEngine): Promise<string> {
  const asked = pulumi.runtime.isDryRun() && !engine.host.startsWith("ssh://");
  return asked && !(await answers(engine.host)) ? NO_ENGINE : engine.host;
}

function answers(host: string): Promise<boolean> {
  const url = new URL(host.replace(/^tcp:/, "http:"));
  const target =
    url.protocol === "unix:"
      ? { socketPath: url.pathname }
      : { host: url.hostname, port: url.port === "" ? 2375 : Number(url.port) };
  return new Promise((resolve) => {
    const request = http.get({ ...target, path: "/_ping", timeout: PING_TIMEOUT_MS }, (response) => {
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
