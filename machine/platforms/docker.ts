/** What containers need in their configs beyond the common patches. Pure. */
import type { DockerPlan, Patch } from "../../config/types";

const LOOPBACK = "127.0.0.1";

/** The certificates must cover the address at which the published ports are reached. */
export function dockerPatch(docker: DockerPlan): Patch {
  const addresses = [...new Set([LOOPBACK, docker.hostAddress])];
  const cluster = { apiServer: { certSANs: addresses } };
  // Talos puts 127.0.0.1 into its own certificate by itself.
  const own = addresses.filter((address) => address !== LOOPBACK);
  return {
    source: "docker",
    documents: [own.length > 0 ? { machine: { certSANs: own }, cluster } : { cluster }],
  };
}
