/** Turns the node's kubeconfig into one that works from where the user sits. Pure. */
import { stringify } from "yaml";
import { z } from "zod";
import { kubeconfigDocument } from "../agreed/kubeconfig";

export interface ApiEndpoint {
  readonly node: string;
  /** `https://host:port` as reached from here. */
  readonly server: string;
}

/** The names that the node gave, and what stands under them. */
const named = z.looseObject({
  clusters: z.array(z.looseObject({ name: z.string(), cluster: z.looseObject({}) })),
  contexts: z.array(z.looseObject({ name: z.string(), context: z.looseObject({ user: z.string() }) })).min(1),
  "current-context": z.string(),
});

/**
 * The first endpoint becomes the current context, under the names the node gave; the others become
 * further contexts, so that a lost first control plane does not lock anybody out.
 */
export function reachableKubeconfig(raw: string, endpoints: readonly ApiEndpoint[]): string {
  const document = named.parse(kubeconfigDocument(raw));
  const [first, ...others] = endpoints;
  const [cluster] = document.clusters;
  const [context] = document.contexts;
  if (first === undefined || cluster === undefined || context === undefined) {
    throw new Error("kubeconfig: no control plane can be reached from here; this is a bug in talos-fleet");
  }
  const clusterAt = (name: string, server: string) => ({
    ...cluster,
    name,
    cluster: { ...cluster.cluster, server },
  });
  return stringify({
    ...document,
    clusters: [
      clusterAt(cluster.name, first.server),
      ...others.map(({ node, server }) => clusterAt(node, server)),
    ],
    contexts: [
      context,
      ...others.map(({ node }) => ({
        ...context,
        name: `admin@${node}`,
        context: { ...context.context, cluster: node },
      })),
    ],
  });
}
