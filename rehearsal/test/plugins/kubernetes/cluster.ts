/** A tiny Kubernetes API with mutual TLS: an object store and nothing more. */
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import type { JsonObject } from "../../../plugins/framework/values";

const pem = (file: string): string => readFileSync(join(__dirname, "certificates", file), "utf8");
const base64 = (file: string): string => Buffer.from(pem(file)).toString("base64");

export interface Cluster {
  readonly kubeconfig: string;
  readonly objects: Map<string, JsonObject>;
  readonly requests: string[];
  /** False: the schema is answered with 503, as by an API server that starts. */
  ready: boolean;
  /** How long the schema, and everything else, waits for its answer. */
  schemaMs: number;
  objectMs: number;
  /** Headers come, and a body that does not end. */
  slowBody: boolean;
  stop(): Promise<void>;
}

export const kubeconfigFor = (server: string): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "admin@lab",
    contexts: [{ name: "admin@lab", context: { cluster: "lab", user: "admin@lab" } }],
    clusters: [{ name: "lab", cluster: { server, "certificate-authority-data": base64("ca.pem") } }],
    users: [
      {
        name: "admin@lab",
        user: { "client-certificate-data": base64("client.pem"), "client-key-data": base64("client.key") },
      },
    ],
  });

type Answer = readonly [status: number, body: JsonObject];

async function answer(cluster: Cluster, request: IncomingMessage): Promise<Answer> {
  const { pathname: path } = new URL(request.url ?? "/", "https://cluster");
  cluster.requests.push(`${request.method ?? ""} ${request.url ?? ""}`);
  await sleep(path === "/openapi/v2" ? cluster.schemaMs : cluster.objectMs);
  if (path === "/openapi/v2") return cluster.ready ? [200, {}] : [503, {}];
  const stored = cluster.objects.get(path);
  if (request.method === "PATCH") {
    if (request.headers["content-type"] !== "application/apply-patch+yaml") return [415, {}];
    const object = JSON.parse(await text(request)) as JsonObject;
    const metadata = { ...(object["metadata"] as JsonObject), uid: "u-1", managedFields: [{ manager: "x" }] };
    const live = { ...object, metadata };
    cluster.objects.set(path, live);
    return [stored === undefined ? 201 : 200, live];
  }
  if (stored === undefined) return [404, { message: `${path} not found` }];
  if (request.method === "DELETE") cluster.objects.delete(path);
  return [200, stored];
}

export async function startCluster(): Promise<Cluster> {
  const tls = {
    cert: pem("server.pem"),
    key: pem("server.key"),
    ca: pem("ca.pem"),
    requestCert: true,
    rejectUnauthorized: true,
  };
  const server = createServer(tls, (request, response) => {
    void answer(cluster, request).then(([status, body]) => {
      response.writeHead(status, { "Content-Type": "application/json" });
      if (cluster.slowBody) response.write("{");
      else response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cluster: Cluster = {
    kubeconfig: kubeconfigFor(`https://127.0.0.1:${(server.address() as AddressInfo).port}`),
    objects: new Map(),
    requests: [],
    ready: true,
    schemaMs: 0,
    objectMs: 0,
    slowBody: false,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return cluster;
}
