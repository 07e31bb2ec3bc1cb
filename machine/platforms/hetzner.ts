/** What Hetzner's servers need in their configs beyond the common patches. Pure. */
import type { Patch } from "../../config/types";

/** The second network card of a server, which is on the private network (net.ifnames=0 in the hcloud image). */
const PRIVATE_LINK = "eth1";
/** Hetzner's private networks carry 1450 bytes. */
const PRIVATE_MTU = 1450;

/** Brings up the private network and binds flannel to it: the default route is public, and its firewall drops VXLAN. */
export const hetznerPatch = (): Patch => ({
  source: "hetzner",
  documents: [
    { apiVersion: "v1alpha1", kind: "LinkConfig", name: PRIVATE_LINK, up: true, mtu: PRIVATE_MTU },
    { apiVersion: "v1alpha1", kind: "DHCPv4Config", name: PRIVATE_LINK },
    {
      cluster: { network: { cni: { name: "flannel", flannel: { extraArgs: [`--iface=${PRIVATE_LINK}`] } } } },
    },
  ],
});

/** A control plane's certificates hold its own addresses, never those of the others. */
export const controlPlaneSans = (addresses: readonly string[]): Patch => ({
  source: "own addresses",
  documents: [{ machine: { certSANs: addresses }, cluster: { apiServer: { certSANs: addresses } } }],
});
