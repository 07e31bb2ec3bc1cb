/** Defaults that no platform changes; each platform's own are in platforms/. docs/config.sample.yaml repeats them for people. */
export const defaults = {
  schematic: "factory/schematic.yaml",
  factoryUrl: "https://factory.talos.dev",
  /** Kubernetes' own defaults; a stack on Hetzner may change them under hetzner.network. */
  pods: "10.244.0.0/16",
  services: "10.96.0.0/12",
  /** Seconds a wait may take: generous for a slow laptop and for servers that pull images for the first time. */
  limits: { talosApi: 600, etcd: 300, kubernetesApi: 600, nodesReady: 900, coreDns: 300 },
} as const;

/** Host number of the node network's gateway, which no node may take. */
export const gatewayHost = 1;
