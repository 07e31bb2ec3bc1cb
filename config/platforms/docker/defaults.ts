/** Defaults of the lab; docs/config.sample.yaml repeats them for people. */
export const dockerDefaults = {
  deletionProtection: false,
  /** Host numbers in the node network. */
  firstAddress: { controlPlanes: 2, workers: 3 },
  subnet: "10.5.0.0/24",
  talosPort: 50000,
  kubernetesPort: 6443,
  cpus: 2,
  memory: 2048,
  image: "ghcr.io/siderolabs/talos",
  hostAddress: "127.0.0.1",
} as const;
