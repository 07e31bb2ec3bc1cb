/** Labels of everything that a lab has on its engine; `talosctl cluster show` understands them. */
import type { Role } from "../types";

type Labels = Readonly<Record<string, string>>;

const OWNED = "talos.owned";
const CLUSTER = "talos.cluster.name";

export const clusterLabels = (cluster: string): Labels => ({ [OWNED]: "true", [CLUSTER]: cluster });

export const nodeLabels = (cluster: string, role: Role): Labels => ({
  ...clusterLabels(cluster),
  "talos.type": role,
});

/** Whose something is, by its labels; undefined for what neither this program nor talosctl made. */
export const clusterOf = (labels: Labels): string | undefined =>
  labels[OWNED] === "true" ? labels[CLUSTER] : undefined;

/** The same as a filter of the Docker API. */
export const labelFilter = (cluster: string): string[] =>
  Object.entries(clusterLabels(cluster)).map(([label, value]) => `${label}=${value}`);
