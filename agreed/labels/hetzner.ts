/** Labels of everything that a cluster owns in a Hetzner project. */
import type { Role } from "../types";

type Labels = Readonly<Record<string, string>>;

const MANAGER = { "managed-by": "talos-fleet" } as const;

export const clusterLabels = (cluster: string): Labels => ({ ...MANAGER, cluster });

export const serverLabels = (
  cluster: string,
  node: { readonly role: Role; readonly pool: string },
): Labels => ({
  ...clusterLabels(cluster),
  role: node.role,
  pool: node.pool,
});

export const isOf = (cluster: string, labels: Labels): boolean =>
  Object.entries(clusterLabels(cluster)).every(([label, value]) => labels[label] === value);

/** As a label selector of Hetzner's API. */
export const clusterSelector = (cluster: string): string => `cluster=${cluster},managed-by=talos-fleet`;

/** The load balancer's targets: control planes join and leave it by their labels. */
export const controlPlaneSelector = (cluster: string): string => `cluster=${cluster},role=controlplane`;
