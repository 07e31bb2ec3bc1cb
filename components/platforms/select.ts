import type { Credentials } from "../../config/load";
import type { ClusterPlan } from "../../config/types";
import { DockerPlatform } from "./docker/platform";
import { HetznerPlatform } from "./hetzner/platform";
import type { Platform } from "./platform";

/** The only place that knows all platforms. */
export function selectPlatform(plan: ClusterPlan, credentials: Credentials): Platform {
  switch (plan.platform) {
    case "docker":
      return new DockerPlatform(plan, credentials.engine(plan.docker));
    case "hetzner":
      return new HetznerPlatform(plan, credentials.hetzner);
  }
}
