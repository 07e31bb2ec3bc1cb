import * as docker from "@pulumi/docker";
import * as pulumi from "@pulumi/pulumi";
import type { DockerEngine } from "../../../config/docker-engine";
import type { DockerClusterPlan } from "../../../config/types";
import { tokens } from "../../tokens";
import type { Image } from "../../types";
import { labelArgs } from "./container";
import { engineHost } from "./engine";
import { clusterLabels } from "../../../agreed/labels/docker";

export interface DockerNetworkArgs {
  readonly plan: DockerClusterPlan;
  readonly image: Image;
  readonly engine: DockerEngine;
}

/** The engine as chosen, and the lab's network on it. */
export class DockerNetwork extends pulumi.ComponentResource {
  readonly provider: docker.Provider;
  readonly network: docker.Network;

  constructor(name: string, args: DockerNetworkArgs, opts?: pulumi.ComponentResourceOptions) {
    super(tokens.dockerNetwork, name, {}, opts);
    const { plan, engine } = args;
    this.provider = new docker.Provider(
      `${name}-engine`,
      {
        host: engineHost(engine),
        ...(engine.tls === undefined
          ? {}
          : {
              caMaterial: engine.tls.ca,
              certMaterial: engine.tls.cert,
              keyMaterial: pulumi.secret(engine.tls.key),
            }),
      },
      { parent: this },
    );
    this.network = new docker.Network(
      `${name}-network`,
      {
        name: plan.name,
        driver: "bridge",
        // The gateway is given: after a restart the engine reports its own, which would replace the network.
        ipamConfigs: [{ subnet: plan.docker.subnet, gateway: plan.docker.gateway }],
        labels: labelArgs(clusterLabels(plan.name)),
        // `talosctl cluster show` reads the MTU from this option and fails without it.
        options: { "com.docker.network.driver.mtu": "1500" },
      },
      {
        parent: this,
        provider: this.provider,
        deleteBeforeReplace: true,
        // Engines with default network options add keys of their own to the read-back.
        ignoreChanges: ["options"],
        // A refused schematic or config must stop the run before there is anything to clean up.
        dependsOn: [...args.image.proofs],
      },
    );
    this.registerOutputs({});
  }
}
