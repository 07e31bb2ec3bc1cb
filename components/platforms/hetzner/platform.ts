import * as pulumi from "@pulumi/pulumi";
import type { HetznerAccount } from "../../../config/load";
import type { HetznerClusterPlan } from "../../../config/types";
import type { Image, Nodes, Reservation } from "../../types";
import type { Platform } from "../platform";
import { loadBalancer } from "./load-balancer";
import { HetznerNetwork } from "./network";
import { HetznerNodes } from "./nodes";
import { controlPlaneSans, hetznerPatch } from "../../../machine/platforms/hetzner";

/** The fleet: servers on Hetzner Cloud. */
export class HetznerPlatform implements Platform {
  readonly #plan: HetznerClusterPlan;
  readonly #account: HetznerAccount;
  #base: HetznerNetwork | undefined;

  constructor(plan: HetznerClusterPlan, account: HetznerAccount) {
    this.#plan = plan;
    this.#account = account;
  }

  reserve(image: Image): Reservation {
    const { hetzner } = this.#plan;
    const base = this.base(image);
    const balancer = this.balancer(base, image);
    const own = Object.entries(base.addresses).map(([name, address]) => {
      const addresses = pulumi.all([address.ipAddress, ...balancer.public]);
      return [name, addresses.apply(controlPlaneSans)] as const;
    });
    return {
      endpoint: `https://${balancer.endpoint}:6443`,
      nodeNetwork: hetzner.nodes,
      patches: [hetznerPatch()],
      nodePatches: Object.fromEntries(own),
    };
  }

  build(image: Image): Nodes {
    const plan = this.#plan;
    const base = this.base(image);
    const { nodes } = new HetznerNodes(plan.name, { plan, base });
    return {
      all: nodes,
      controlPlanes: nodes.filter((node) => node.role === "controlplane"),
      network: base.network,
    };
  }

  private base(image: Image): HetznerNetwork {
    const plan = this.#plan;
    this.#base ??= new HetznerNetwork(plan.name, { plan, image, account: this.#account });
    return this.#base;
  }

  /** What the nodes call the cluster: the balancer, or without one the first control plane. */
  private balancer(
    base: HetznerNetwork,
    image: Image,
  ): { endpoint: string; public: pulumi.Output<string>[] } {
    const { hetzner, nodes } = this.#plan;
    if (hetzner.loadBalancerAddress === undefined) return { endpoint: nodes[0]?.address ?? "", public: [] };
    const address = hetzner.loadBalancerAddress;
    const balancer = loadBalancer({ plan: this.#plan, base, image, address, parent: base });
    return { endpoint: address, public: hetzner.apiLoadBalancer === "public" ? [balancer.ipv4] : [] };
  }
}
