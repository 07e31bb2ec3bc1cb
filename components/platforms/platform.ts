/** What a platform is: it answers before it builds, so that configs need no node and nodes need no config. */
import type { MachineSecrets } from "../machine-secrets";
import type { Image, Nodes, Reservation } from "../types";

export interface Platform {
  /** Endpoint, networks and patches, before any node exists. */
  reserve(image: Image): Reservation;
  /** The machines, in maintenance mode, each reachable by its Talos endpoint. */
  build(image: Image, identity: MachineSecrets): Nodes;
}
