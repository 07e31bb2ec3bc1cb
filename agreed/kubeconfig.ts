/** How both halves read a kubeconfig with an administrator's certificate in it. */
import { parse } from "yaml";
import { z } from "zod";

const kubeconfig = z.looseObject({
  clusters: z
    .array(
      z.looseObject({
        cluster: z.looseObject({ server: z.string(), "certificate-authority-data": z.string() }),
      }),
    )
    .min(1),
  users: z
    .array(
      z.looseObject({
        user: z.looseObject({ "client-certificate-data": z.string(), "client-key-data": z.string() }),
      }),
    )
    .min(1),
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
  const parsed = kubeconfig.safeParse(parseOrNothing(text));
  const [cluster, user] = [parsed.data?.clusters[0]?.cluster, parsed.data?.users[0]?.user];
  if (!parsed.success || cluster === undefined || user === undefined) {
    throw new Error("kubeconfig: has no cluster with an authority, or no user with a certificate");
  }
  return {
    servers: parsed.data.clusters.map(({ cluster: { server } }) => server),
    authority: cluster["certificate-authority-data"],
    certificate: user["client-certificate-data"],
    key: user["client-key-data"],
  };
}

function parseOrNothing(text: string): unknown {
  try {
    return parse(text) as unknown;
  } catch {
    return undefined;
  }
}
