/** What a kubeconfig says of the cluster of its current context. */
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { parse } from "yaml";

const base64 = z.string().transform((data) => Buffer.from(data, "base64").toString("utf8"));

const schema = z.object({
  "current-context": z.string(),
  contexts: z.array(
    z.object({ name: z.string(), context: z.object({ cluster: z.string(), user: z.string() }) }),
  ),
  clusters: z.array(
    z.object({
      name: z.string(),
      cluster: z.object({ server: z.url(), "certificate-authority-data": base64.optional() }),
    }),
  ),
  users: z.array(
    z.object({
      name: z.string(),
      user: z.object({
        "client-certificate-data": base64.optional(),
        "client-key-data": base64.optional(),
        token: z.string().optional(),
      }),
    }),
  ),
});

/** PEM texts and the server's URL. */
export interface Cluster {
  readonly server: string;
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly token: string | undefined;
}

/** The content of a kubeconfig that is given as such or by its path. */
export function kubeconfigText(contentOrPath: string): string {
  const isPath = !contentOrPath.includes("\n") && existsSync(contentOrPath);
  return isPath ? readFileSync(contentOrPath, "utf8") : contentOrPath;
}

/** From the content of a kubeconfig or the path of one. Throws when it names no cluster. */
export function parseKubeconfig(contentOrPath: string, context?: string): Cluster {
  const config = schema.parse(parse(kubeconfigText(contentOrPath)));
  const wanted = context ?? config["current-context"];
  const chosen = config.contexts.find(({ name }) => name === wanted)?.context;
  const cluster = config.clusters.find(({ name }) => name === chosen?.cluster)?.cluster;
  if (cluster === undefined) throw new Error(`invalid configuration: context "${wanted}" names no cluster`);
  const user = config.users.find(({ name }) => name === chosen?.user)?.user;
  return {
    server: cluster.server.replace(/\/+$/, ""),
    ca: cluster["certificate-authority-data"],
    cert: user?.["client-certificate-data"],
    key: user?.["client-key-data"],
    token: user?.token,
  };
}
