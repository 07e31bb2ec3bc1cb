/** How both halves read a kubeconfig with an administrator's certificate in it. */
import { parse } from "yaml";
import { z } from "zod";

const cluster = z.looseObject({
  cluster: z.looseObject({ server: z.string(), "certificate-authority-data": z.string() }),
});
const user = z.looseObject({
  user: z.looseObject({ "client-certificate-data": z.string(), "client-key-data": z.string() }),
});
const kubeconfig = z.looseObject({
  clusters: z.tuple([cluster], cluster),
  users: z.tuple([user], user),
});

export interface KubernetesLogin {
  /** `https://host:port`: the first is the one that the kubeconfig points at. */
  readonly servers: readonly string[];
  /** The cluster's authority, base64 of PEM as it stands in the file. */
  readonly authority: string;
  /** Base64 of PEM, as they stand in the file. */
  readonly certificate: string;
  readonly key: string;
}

/** @throws when the text is no such kubeconfig; shows nothing of it. */
export function readKubeconfig(text: string): KubernetesLogin {
  const { clusters, users } = kubeconfigDocument(text);
  return {
    servers: clusters.map((one) => one.cluster.server),
    authority: clusters[0].cluster["certificate-authority-data"],
    certificate: users[0].user["client-certificate-data"],
    key: users[0].user["client-key-data"],
  };
}

/** The whole file, for who writes it anew. @throws as `readKubeconfig` does. */
export function kubeconfigDocument(text: string): z.infer<typeof kubeconfig> {
  const parsed = kubeconfig.safeParse(parseOrNothing(text));
  if (parsed.success) return parsed.data;
  throw new Error("kubeconfig: has no cluster with an authority, or no user with a certificate");
}

function parseOrNothing(text: string): unknown {
  try {
    return parse(text) as unknown;
  } catch {
    return undefined;
  }
}
