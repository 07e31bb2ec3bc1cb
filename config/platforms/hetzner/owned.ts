import type { OwnedParts } from "../../rules/owned";

const flannelArgs = "cluster.network.cni.flannel.extraArgs";

/** What servers in a private network cannot have changed. */
export const hetznerOwned: OwnedParts = {
  keys: [
    {
      paths: ["cluster.discovery.enabled"],
      rule: "workers find the control planes that sign their certificates through discovery: the load balancer passes on 6443 only",
      repair: "remove it: discovery is on by default",
    },
    {
      paths: [flannelArgs],
      rule: "flannel's arguments name the node network's interface, for the public one drops its traffic",
      repair: "remove it",
    },
  ],
  needed: [flannelArgs],
  kinds: {
    NetworkDefaultActionConfig: {
      when: ({ ingress }) => ingress !== "accept",
      rule: "it closes every port for which Talos' firewall has no rule, the Talos and Kubernetes APIs among them, and this program makes no such rules yet",
      repair: "remove the document: Hetzner's firewall closes what hetzner.adminCidrs does not open",
    },
  },
  documents: [
    { apiVersion: "v1alpha1", kind: "LinkConfig", name: "eth1", up: true, mtu: 1450 },
    { apiVersion: "v1alpha1", kind: "DHCPv4Config", name: "eth1" },
    { cluster: { network: { cni: { name: "flannel", flannel: { extraArgs: [] } } } } },
  ],
};
