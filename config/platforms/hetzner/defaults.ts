/** Defaults of a fleet on Hetzner; docs/config.sample.yaml repeats them for people. */
export const hetznerDefaults = {
  deletionProtection: true,
  /** Host numbers in the node network. */
  firstAddress: { controlPlanes: 11, workers: 101 },
  location: "fsn1",
  network: "10.0.0.0/16",
  nodes: "10.0.1.0/24",
  apiLoadBalancer: "private",
  loadBalancerType: "lb11",
  serverType: { controlPlanes: "cpx22", workers: "cpx32" },
} as const;

/** Host number of the private load balancer in the node network. */
export const loadBalancerHost = 10;

/** Servers a spread group is filled with; Hetzner takes 10, so a replacement always has room. */
export const serversPerGroup = 7;
