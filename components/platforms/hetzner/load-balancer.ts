import * as hcloud from "@pulumi/hcloud";
import type * as pulumi from "@pulumi/pulumi";
import { ports } from "../../../agreed/ports";
import type { HetznerClusterPlan } from "../../../config/types";
import type { Image } from "../../types";
import { clusterLabels, controlPlaneSelector } from "../../../agreed/labels/hetzner";
import type { HetznerNetwork } from "./network";

const API_PORT = ports.kubernetes;

/** A hung API server still accepts connections; one that asks for credentials is alive. */
const HEALTH_CHECK = {
  protocol: "http",
  port: API_PORT,
  interval: 3,
  timeout: 2,
  retries: 2,
  http: { path: "/version", response: "", tls: true, statusCodes: ["401"] },
};

export interface LoadBalancerArgs {
  readonly plan: HetznerClusterPlan;
  readonly base: HetznerNetwork;
  readonly image: Image;
  /** The nodes' endpoint: an address in the node network. */
  readonly address: string;
  readonly parent: pulumi.Resource;
}

/** The Kubernetes API's endpoint for the nodes. Its public side stays closed unless asked for. */
export function loadBalancer(args: LoadBalancerArgs): hcloud.LoadBalancer {
  const { plan, base } = args;
  const opts = { parent: args.parent, provider: base.provider };
  const name = `${plan.name}-api`;
  const balancer = new hcloud.LoadBalancer(
    name,
    {
      name,
      loadBalancerType: plan.hetzner.loadBalancerType,
      location: plan.hetzner.location,
      labels: clusterLabels(plan.name),
    },
    // A refused schematic or config must stop the run before there is anything to clean up.
    { ...opts, dependsOn: [...args.image.proofs] },
  );
  const attached = new hcloud.LoadBalancerNetwork(
    `${name}-network`,
    {
      loadBalancerId: balancer.id.apply(Number),
      subnetId: base.subnet.id,
      ip: args.address,
      enablePublicInterface: plan.hetzner.apiLoadBalancer === "public",
    },
    opts,
  );
  new hcloud.LoadBalancerService(
    `${name}-service`,
    {
      loadBalancerId: balancer.id,
      protocol: "tcp",
      listenPort: API_PORT,
      destinationPort: API_PORT,
      healthCheck: HEALTH_CHECK,
    },
    opts,
  );
  new hcloud.LoadBalancerTarget(
    `${name}-control-planes`,
    {
      loadBalancerId: balancer.id.apply(Number),
      type: "label_selector",
      labelSelector: controlPlaneSelector(plan.name),
      usePrivateIp: true,
    },
    // Private targets are refused until the balancer itself is in the network.
    { ...opts, dependsOn: [attached] },
  );
  return balancer;
}
