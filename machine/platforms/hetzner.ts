/** The fleet, before any server exists: what configs need to know of it. */
import { ports } from "../../agreed/ports";
import { patchEffects } from "../../agreed/patch-effects";
import type { Patch } from "../../agreed/types";
import type { HetznerClusterPlan } from "../../config/types";
import type { Reservation } from "../reserve";

/** The second network card of a server, which is on the private network (net.ifnames=0 in the hcloud image). */
const PRIVATE_LINK = "eth1";
/** Hetzner's private networks carry 1450 bytes. */
const PRIVATE_MTU = 1450;

/** The endpoint is the private load balancer, or without one the first control plane. */
export const reserveHetzner = ({ nodes, hetzner }: HetznerClusterPlan): Reservation => ({
  endpoint: `https://${hetzner.loadBalancerAddress ?? nodes[0]?.address ?? ""}:${ports.kubernetes}`,
  nodeNetwork: hetzner.nodes,
  patches: ({ patches }) => [hetznerPatch(patchEffects(patches).cni)],
});

/** Brings up the private network and binds flannel to it: the default route is public, and its firewall drops VXLAN. */
export const hetznerPatch = (cni: string): Patch => ({
  source: "hetzner",
  documents: [
    { apiVersion: "v1alpha1", kind: "LinkConfig", name: PRIVATE_LINK, up: true, mtu: PRIVATE_MTU },
    { apiVersion: "v1alpha1", kind: "DHCPv4Config", name: PRIVATE_LINK },
    { cluster: { network: { cni: { name: "flannel", ...(cni === "flannel" ? flannel : {}) } } } },
  ],
});

/** Talos refuses these beside another CNI, so that they stay out where the operator's patches choose one. */
const flannel = { flannel: { extraArgs: [`--iface=${PRIVATE_LINK}`] } };
