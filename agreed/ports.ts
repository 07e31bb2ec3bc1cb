/** Ports on which a node serves, on both platforms. */
export const ports = {
  /** Talos API (apid). */
  talos: 50000,
  /** Kubernetes API. */
  kubernetes: 6443,
} as const;
