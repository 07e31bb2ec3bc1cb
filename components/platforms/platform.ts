/** What a platform makes, in two steps: what machines stand on, then, from that, the machines. */
import type { Access, Foundation, Image, Machines } from "../types";

export interface Platform {
  /** Network, addresses, firewall, balancer: all that is there before a machine. */
  foundation(image: Image): Foundation;
  /** What operations have to know to ask the platform about its machines. */
  readonly machines: Machines;
  /** Where each node's Talos API will be reached, as far as it is known before any machine. */
  readonly talosEndpoints: Readonly<Record<string, string>>;
  /** Whether another Talos version is another machine, as a container is; elsewhere it is an upgrade in place. */
  readonly talosReplaces: boolean;
  /** Whether the cluster may be down while a run looks at it: then its objects are taken to be as they were. */
  readonly mayBeDown: boolean;
  /** Puts the credentials where this platform's users look for them, besides the outputs. */
  keepAccess(access: Access): void;
}
