/** What the operator's patches leave to be waited for. Pure. */
import type { ClusterPlan, Patch } from "../config/types";

export interface Expectations {
  /** False with `cluster.network.cni.name: none`: nodes stay NotReady until somebody installs a CNI. */
  readonly nodesReady: boolean;
  /** False without a CNI or with `cluster.coreDNS.disabled`. */
  readonly coreDns: boolean;
}

export function expectations(plan: ClusterPlan): Expectations {
  const documents = plan.nodes
    .filter((node) => node.role === "controlplane")
    .flatMap((node) => node.patches)
    .flatMap((patch: Patch) => patch.documents);
  const says = (path: readonly string[], value: unknown) =>
    documents.some((document) => at(document, path) === value);
  const nodesReady = !says(["cluster", "network", "cni", "name"], "none");
  return { nodesReady, coreDns: nodesReady && !says(["cluster", "coreDNS", "disabled"], true) };
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[key] : undefined,
    value,
  );
}
