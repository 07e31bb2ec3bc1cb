import type * as pulumi from "@pulumi/pulumi";
import type { NodePlan } from "../config/types";
import type { Nodes } from "./types";

export interface NodeOutput {
  readonly role: string;
  readonly pool: string;
  /** In the node network. */
  readonly address: string;
  /** Where the Talos API is reached from here. */
  readonly talosEndpoint: pulumi.Output<string>;
}

/** The stack output `nodes`: by name, nothing secret. A preview knows all but public addresses. */
export function nodesOutput(plans: readonly NodePlan[], nodes: Nodes): Record<string, NodeOutput> {
  const pools = new Map(plans.map((node) => [node.name, node.pool]));
  return Object.fromEntries(
    nodes.all.map(({ name, role, address, talosEndpoint }) => [
      name,
      { role, pool: pools.get(name) ?? role, address, talosEndpoint },
    ]),
  );
}
