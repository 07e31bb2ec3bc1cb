import * as hcloud from "@pulumi/hcloud";
import * as pulumi from "@pulumi/pulumi";
import { ports } from "../../../agreed/ports";
import type { HetznerClusterPlan, HetznerNodePlan } from "../../../config/types";
import { tokens } from "../../tokens";
import type { ClusterNode } from "../../types";
import { serverLabels } from "../../../agreed/labels/hetzner";
import type { HetznerNetwork } from "./network";

export interface HetznerNodesArgs {
  readonly plan: HetznerClusterPlan;
  readonly base: HetznerNetwork;
}

/** One server a node, from the Talos snapshot, in maintenance mode: no user data, so none that holds secrets. */
export class HetznerNodes extends pulumi.ComponentResource {
  readonly nodes: readonly ClusterNode[];
  readonly #args: HetznerNodesArgs;

  constructor(name: string, args: HetznerNodesArgs, opts?: pulumi.ComponentResourceOptions) {
    super(tokens.hetznerNodes, name, {}, opts);
    this.#args = args;
    this.nodes = args.plan.nodes.map((node) => this.node(node));
    this.registerOutputs({});
  }

  private node(node: HetznerNodePlan): ClusterNode {
    const server = this.server(node);
    const own = this.#args.base.addresses[node.name];
    // A control plane's address is known before its server, a worker's only with it.
    const address =
      own === undefined ? server.ipv4Address : pulumi.all([own.ipAddress, server.id]).apply(([ip]) => ip);
    return {
      name: node.name,
      role: node.role,
      id: server.id,
      address: node.address,
      talosEndpoint: pulumi.interpolate`${address}:${ports.talos}`,
      ...(node.role === "controlplane"
        ? { kubernetesEndpoint: pulumi.interpolate`https://${address}:${ports.kubernetes}` }
        : {}),
    };
  }

  private server(node: HetznerNodePlan): hcloud.Server {
    const { plan, base } = this.#args;
    const own = base.addresses[node.name];
    return new hcloud.Server(
      node.name,
      {
        name: node.name,
        serverType: node.serverType,
        location: node.location,
        image: snapshot(plan),
        labels: serverLabels(plan.name, node),
        firewallIds: [base.firewall.id.apply(Number)],
        ...this.placement(node),
        publicNets: [
          {
            ipv4Enabled: true,
            ipv6Enabled: true,
            ...(own === undefined ? {} : { ipv4: own.id.apply(Number) }),
          },
        ],
        // An empty alias list, or the plugin attaches the network again at every run.
        networks: [{ subnetId: base.subnet.id, ip: node.address, aliasIps: [] }],
      },
      {
        parent: this,
        provider: base.provider,
        // Name and addresses are fixed: the old server has to go first.
        deleteBeforeReplace: true,
        // They matter at creation only; nodes change over the Talos API, and replacing one is asked for by name.
        ignoreChanges: ["image", "userData", "sshKeys"],
        protect: plan.deletionProtection && node.role === "controlplane",
      },
    );
  }

  private placement(node: HetznerNodePlan): { placementGroupId?: pulumi.Output<number> } {
    const group = this.#args.base.groups[node.group];
    return group === undefined ? {} : { placementGroupId: group.id.apply(Number) };
  }
}

/** A preview without an image id is exact but for it; `up` has refused before it comes here. */
const snapshot = (plan: HetznerClusterPlan): pulumi.Input<string> =>
  plan.hetzner.imageId ?? pulumi.output(pulumi.unknown as unknown as string);
