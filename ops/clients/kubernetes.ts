/** A small client of the Kubernetes API, logged in by a kubeconfig. */
import { Agent } from "node:https";
import axios, { type AxiosInstance } from "axios";
import { parse } from "yaml";
import { z } from "zod";

const REQUEST_TIMEOUT_MS = 5_000;

const kubeconfigSchema = z.looseObject({
  clusters: z.array(
    z.looseObject({
      cluster: z.looseObject({ server: z.string(), "certificate-authority-data": z.string() }),
    }),
  ),
  users: z.array(
    z.looseObject({
      user: z.looseObject({ "client-certificate-data": z.string(), "client-key-data": z.string() }),
    }),
  ),
});

const fromBase64 = (text: string): Buffer => Buffer.from(text, "base64");

/** Talks to the kubeconfig's first cluster. Every status is an answer; only transport faults throw. */
export function kubernetesClient(kubeconfig: string): AxiosInstance {
  const { clusters, users } = kubeconfigSchema.parse(parse(kubeconfig));
  const [cluster] = clusters;
  const [user] = users;
  if (cluster === undefined || user === undefined) throw new Error("kubeconfig: has no cluster or no user");
  const httpsAgent = new Agent({
    ca: fromBase64(cluster.cluster["certificate-authority-data"]),
    cert: fromBase64(user.user["client-certificate-data"]),
    key: fromBase64(user.user["client-key-data"]),
  });
  return axios.create({
    baseURL: cluster.cluster.server,
    httpsAgent,
    timeout: REQUEST_TIMEOUT_MS,
    // A proxy for the internet must not get between us and the cluster.
    proxy: false,
    validateStatus: () => true,
  });
}
