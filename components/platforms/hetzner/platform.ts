import * as pulumi from "@pulumi/pulumi";
import type { HetznerAccount } from "../../../config/load";
import type { HetznerClusterPlan } from "../../../config/types";
import { type Foundation, type Image, type Machines, nodesOf } from "../../types";
import type { Platform } from "../platform";
import { loadBalancer } from "./load-balancer";
import { HetznerNetwork } from "./network";
import { HetznerNodes } from "./nodes";

/** The fleet: servers on Hetzner Cloud. */
export class HetznerPlatform implements Platform {
  readonly machines: Machines = { machines: { platform: "hetzner" } };
  readonly talosReplaces = false;
  readonly mayBeDown = false;
  /** Public addresses are Hetzner's to give. */
  readonly talosEndpoints = {};
  readonly #plan: HetznerClusterPlan;
  readonly #account: HetznerAccount;

  constructor(plan: HetznerClusterPlan, account: HetznerAccount) {
    this.#plan = plan;
    this.#account = account;
  }

  foundation(image: Image): Foundation {
    const plan = this.#plan;
    const base = new HetznerNetwork(plan.name, { plan, image, account: this.#account });
    const shared = this.publicEndpoint(base, image);
    const own = Object.entries(base.addresses).map(
      ([name, { ipAddress }]) => [name, pulumi.all([ipAddress, ...shared])] as const,
    );
    return {
      network: base.network,
      ownAddresses: Object.fromEntries(own),
      // All at once: servers that are made or changed together do not disturb each other.
      build: () => nodesOf(new HetznerNodes(plan.name, { plan, base }).nodes),
    };
  }

  /** A fleet's credentials are outputs only. */
  keepAccess(): void {
    return;
  }

  /** The balancer's public address, where it was asked for. */
  private publicEndpoint(base: HetznerNetwork, image: Image): pulumi.Output<string>[] {
    const { hetzner } = this.#plan;
    const address = hetzner.loadBalancerAddress;
    if (address === undefined) return [];
    const balancer = loadBalancer({ plan: this.#plan, base, image, address, parent: base });
    return hetzner.apiLoadBalancer === "public" ? [balancer.ipv4] : [];
  }
}
