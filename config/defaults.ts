/** Every default of the configuration, in one place; docs/config.sample.yaml repeats them for people. */
export const defaults = {
  schematic: "factory/schematic.yaml",
  factoryUrl: "https://factory.talos.dev",
  reboots: "refuse",
  /** Kubernetes' own defaults; a stack on Hetzner may change them under hetzner.network. */
  pods: "10.244.0.0/16",
  services: "10.96.0.0/12",
  /** Seconds a stage may take: generous for a slow laptop and for servers that pull images for the first time. */
  limits: { talosApi: 600, etcd: 300, kubernetesApi: 600, nodesReady: 900, coreDns: 300 },
  deletionProtection: { docker: false, hetzner: true },
  docker: {
    subnet: "10.5.0.0/24",
    talosPort: 50000,
    kubernetesPort: 6443,
    cpus: 2,
    memory: 2048,
    image: "ghcr.io/siderolabs/talos",
    hostAddress: "127.0.0.1",
  },
  hetzner: {
    location: "fsn1",
    network: "10.0.0.0/16",
    nodes: "10.0.1.0/24",
    apiLoadBalancer: "private",
    loadBalancerType: "lb11",
    serverType: { controlPlanes: "cpx22", workers: "cpx32" },
  },
  /** Host numbers in the node network. */
  firstAddress: {
    docker: { controlPlanes: 2, workers: 3 },
    hetzner: { controlPlanes: 11, workers: 101 },
  },
} as const;

/** Host numbers that no node may take: the gateway, and on Hetzner the private load balancer. */
export const reservedHosts = { gateway: 1, loadBalancer: 10 } as const;

/** Servers a spread group is filled with; Hetzner takes 10, so a replacement always has room. */
export const serversPerGroup = 7;
