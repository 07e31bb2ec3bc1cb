import * as hcloud from "@pulumi/hcloud";
import * as pulumi from "@pulumi/pulumi";
import type { HetznerAccount } from "../../../config/load";
import type { HetznerClusterPlan } from "../../../config/types";
import { tokens } from "../../tokens";
import type { Image } from "../../types";
import { firewallRules } from "./firewall";
import { clusterLabels } from "../../../agreed/labels/hetzner";
import { hcloudProvider } from "./provider";

export interface HetznerNetworkArgs {
  readonly plan: HetznerClusterPlan;
  readonly image: Image;
  readonly account: HetznerAccount;
}

/** Everything servers stand on: addresses, network, firewall, spread groups, load balancer. */
export class HetznerNetwork extends pulumi.ComponentResource {
  readonly provider: hcloud.Provider;
  readonly network: hcloud.Network;
  readonly subnet: hcloud.NetworkSubnet;
  readonly firewall: hcloud.Firewall;
  /** By group name. */
  readonly groups: Readonly<Record<string, hcloud.PlacementGroup>>;
  /** By control plane name: an address outlives its server. */
  readonly addresses: Readonly<Record<string, hcloud.PrimaryIp>>;
  readonly #args: HetznerNetworkArgs;
  readonly #name: string;

  constructor(name: string, args: HetznerNetworkArgs, opts?: pulumi.ComponentResourceOptions) {
    super(tokens.hetznerNetwork, name, {}, opts);
    this.#args = args;
    this.#name = name;
    this.provider = hcloudProvider(`${name}-hcloud`, args.account, { parent: this });
    this.network = this.createNetwork();
    this.subnet = this.createSubnet();
    this.firewall = this.createFirewall();
    this.groups = this.createGroups();
    this.addresses = this.createAddresses();
    this.registerOutputs({});
  }

  /** The first resources wait for the factory: a refused schematic must leave nothing to clean up. */
  private rootOptions(): pulumi.CustomResourceOptions {
    return { parent: this, provider: this.provider, dependsOn: [...this.#args.image.proofs] };
  }

  private createNetwork(): hcloud.Network {
    const { name, hetzner } = this.#args.plan;
    return new hcloud.Network(
      `${this.#name}-network`,
      { name, ipRange: hetzner.network, labels: clusterLabels(name) },
      this.rootOptions(),
    );
  }

  private createSubnet(): hcloud.NetworkSubnet {
    const { hetzner } = this.#args.plan;
    return new hcloud.NetworkSubnet(
      `${this.#name}-nodes`,
      {
        networkId: this.network.id.apply(Number),
        type: "cloud",
        networkZone: hetzner.networkZone,
        ipRange: hetzner.nodes,
      },
      { parent: this, provider: this.provider },
    );
  }

  private createFirewall(): hcloud.Firewall {
    const { name, hetzner } = this.#args.plan;
    return new hcloud.Firewall(
      `${this.#name}-firewall`,
      { name, rules: firewallRules(hetzner.adminCidrs), labels: clusterLabels(name) },
      this.rootOptions(),
    );
  }

  private createGroups(): Record<string, hcloud.PlacementGroup> {
    const { name, hetzner } = this.#args.plan;
    const group = (groupName: string) =>
      new hcloud.PlacementGroup(
        groupName,
        { name: groupName, type: "spread", labels: clusterLabels(name) },
        this.rootOptions(),
      );
    return Object.fromEntries(hetzner.groups.map((groupName) => [groupName, group(groupName)]));
  }

  private createAddresses(): Record<string, hcloud.PrimaryIp> {
    const { name, nodes } = this.#args.plan;
    const controlPlanes = nodes.filter((node) => node.role === "controlplane");
    const address = (node: (typeof nodes)[number]) =>
      new hcloud.PrimaryIp(
        `${node.name}-ipv4`,
        // No assignee type: with one, every preview shows a difference.
        {
          name: node.name,
          type: "ipv4",
          location: node.location,
          autoDelete: false,
          labels: clusterLabels(name),
        },
        this.rootOptions(),
      );
    return Object.fromEntries(controlPlanes.map((node) => [node.name, address(node)]));
  }
}
