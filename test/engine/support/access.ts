import { parse, stringify } from "yaml";

interface Named {
  readonly name: string;
}
interface Kubeconfig {
  readonly clusters: readonly (Named & { readonly cluster: { readonly server: string } })[];
  readonly contexts: readonly (Named & { readonly context: { readonly cluster: string } })[];
  readonly "current-context": string;
}

export interface Context {
  readonly name: string;
  readonly server: string;
  readonly current: boolean;
  /** The same kubeconfig with this context's cluster as its only one. */
  readonly kubeconfig: string;
}

/** Every context of a kubeconfig. */
export function contextsOf(text: string): Context[] {
  const document = parse(text) as Kubeconfig;
  return document.contexts.map(({ name, context }) => {
    const clusters = document.clusters.filter((cluster) => cluster.name === context.cluster);
    return {
      name,
      server: clusters[0]?.cluster.server ?? "",
      current: document["current-context"] === name,
      kubeconfig: stringify({ ...document, clusters }),
    };
  });
}
