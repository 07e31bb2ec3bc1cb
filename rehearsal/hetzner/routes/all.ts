import type { Route } from "../core/call";
import { firewallRoutes } from "./firewalls";
import { imageRoutes } from "./images";
import { loadBalancerActionRoutes } from "./load-balancer-actions";
import { loadBalancerRoutes } from "./load-balancers";
import { networkRoutes } from "./networks";
import { otherRoutes } from "./others";
import { placementGroupRoutes } from "./placement-groups";
import { primaryIpRoutes } from "./primary-ips";
import { serverNetworkRoutes } from "./server-networks";
import { serverPowerRoutes } from "./server-power";
import { serverSettingRoutes } from "./server-settings";
import { serverRoutes } from "./servers";

/** Every path the simulated API knows. */
export const routes: readonly Route[] = [
  ...serverRoutes,
  ...serverPowerRoutes,
  ...serverNetworkRoutes,
  ...serverSettingRoutes,
  ...networkRoutes,
  ...firewallRoutes,
  ...placementGroupRoutes,
  ...loadBalancerRoutes,
  ...loadBalancerActionRoutes,
  ...imageRoutes,
  ...primaryIpRoutes,
  ...otherRoutes,
];
