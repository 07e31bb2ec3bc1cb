/** The lab, before any container exists: what configs need to know of it. */
import { ports } from "../../agreed/ports";
import type { Patch } from "../../agreed/types";
import type { DockerClusterPlan, DockerPlan } from "../../config/types";
import type { Reservation } from "../reserve";

const LOOPBACK = "127.0.0.1";

/** The first control plane is the endpoint: containers keep their addresses. */
export const reserveDocker = ({ nodes, docker }: DockerClusterPlan): Reservation => ({
  endpoint: `https://${nodes[0]?.address ?? ""}:${ports.kubernetes}`,
  nodeNetwork: docker.subnet,
  patches: () => [dockerPatch(docker)],
});

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
