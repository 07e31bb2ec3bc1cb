import type { Patch } from "../agreed/types";
import type { ClusterPlan, NodePlan } from "../config/types";
import { reserveDocker } from "./platforms/docker";
import { reserveHetzner } from "./platforms/hetzner";

/** What a platform answers before anything is made: all that machine configs need, but for addresses nobody knows yet. */
export interface Reservation {
  /** The cluster endpoint as nodes reach it: `https://10.5.0.2:6443`. */
  readonly endpoint: string;
  /** The network that nodes, etcd and kubelets are bound to (CIDR). */
  readonly nodeNetwork: string;
  /** The platform's patches for a node; they make room for what the operator's choose (another CNI). */
  readonly patches: (node: Pick<NodePlan, "patches">) => readonly Patch[];
}

/** Plain data from plain data; exhaustive over the platforms. */
export function reserve(plan: ClusterPlan): Reservation {
  switch (plan.platform) {
    case "docker":
      return reserveDocker(plan);
    case "hetzner":
      return reserveHetzner(plan);
  }
}
