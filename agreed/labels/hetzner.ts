/** Labels of everything that this cluster owns in the project. Pure. */
import type { NodePlan } from "../../config/types";

export const clusterLabels = (cluster: string): Record<string, string> => ({
  "managed-by": "talos-fleet",
  cluster,
});

export const serverLabels = (cluster: string, node: NodePlan): Record<string, string> => ({
  ...clusterLabels(cluster),
  role: node.role,
  pool: node.pool,
});

/** The load balancer's targets: control planes join and leave it by their labels. */
export const controlPlaneSelector = (cluster: string): string => `cluster=${cluster},role=controlplane`;
