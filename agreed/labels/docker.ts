/** Labels that `talosctl cluster show` understands. Pure. */
import type { Role } from "../../config/types";

interface Label {
  label: string;
  value: string;
}

export const clusterLabels = (cluster: string): Label[] => [
  { label: "talos.owned", value: "true" },
  { label: "talos.cluster.name", value: cluster },
];

export const nodeLabels = (cluster: string, role: Role): Label[] => [
  ...clusterLabels(cluster),
  { label: "talos.type", value: role },
];
