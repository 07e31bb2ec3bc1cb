/** A stand-in for the hcloud plugin: it only calls the Hetzner Cloud API, at any endpoint. */
import type { PluginStandIn, Props } from "../framework/types";
import { plainProps } from "../framework/values";
import { primaryIpResource, snapshotResource, sshKeyResource } from "./addresses";
import { hetznerClient, type HetznerClient } from "./client";
import { checkConfig, clientConfig, diffConfig } from "./config";
import { firewallResource, placementGroupResource } from "./firewall";
import { getImage, getServerType } from "./functions";
import { loadBalancerResource } from "./load-balancer";
import { loadBalancerNetworkResource } from "./load-balancer-network";
import { loadBalancerServiceResource } from "./load-balancer-service";
import { loadBalancerTargetResource } from "./load-balancer-target";
import { networkResource, routeResource, subnetResource } from "./network";
import { serverResource } from "./server";

export interface HcloudOptions {
  /** First pause between retries in milliseconds, 1000 as hcloud-go has it. */
  readonly retryBaseMs?: number;
}

export function hcloudPlugin(options: HcloudOptions = {}): PluginStandIn {
  let client: HetznerClient | undefined;
  const api = (): HetznerClient => {
    if (client === undefined) throw new Error("the hcloud plugin was not configured");
    return client;
  };
  return {
    name: "hcloud",
    version: "1.41.0",
    capabilities: {
      acceptSecrets: false,
      supportsPreview: true,
      acceptResources: false,
      acceptOutputs: false,
      supportsAutonamingConfiguration: true,
    },
    checkConfig: async (request) => checkConfig(request, process.env),
    diffConfig,
    configure: async (args: Props) => {
      client = hetznerClient(clientConfig(plainProps(args), process.env, options.retryBaseMs ?? 1000));
    },
    resources: {
      "hcloud:index/primaryIp:PrimaryIp": primaryIpResource(api),
      "hcloud:index/sshKey:SshKey": sshKeyResource(api),
      "hcloud:index/snapshot:Snapshot": snapshotResource(api),
      "hcloud:index/network:Network": networkResource(api),
      "hcloud:index/networkSubnet:NetworkSubnet": subnetResource(api),
      "hcloud:index/networkRoute:NetworkRoute": routeResource(api),
      "hcloud:index/firewall:Firewall": firewallResource(api),
      "hcloud:index/placementGroup:PlacementGroup": placementGroupResource(api),
      "hcloud:index/server:Server": serverResource(api),
      "hcloud:index/loadBalancer:LoadBalancer": loadBalancerResource(api),
      "hcloud:index/loadBalancerNetwork:LoadBalancerNetwork": loadBalancerNetworkResource(api),
      "hcloud:index/loadBalancerService:LoadBalancerService": loadBalancerServiceResource(api),
      "hcloud:index/loadBalancerTarget:LoadBalancerTarget": loadBalancerTargetResource(api),
    },
    functions: {
      "hcloud:index/getServerType:getServerType": (args) => getServerType(api(), args),
      "hcloud:index/getImage:getImage": (args) => getImage(api(), args),
    },
  };
}
