import * as pulumi from "@pulumi/pulumi";
import { veiled } from "../../../base/show";
import type { DockerEngine } from "../../../config/docker-engine";
import type { DockerClusterPlan } from "../../../config/types";
import { AccessFiles } from "../../access-files";
import { type Access, type Foundation, type Image, type Machines, nodesOf } from "../../types";
import type { Platform } from "../platform";
import { endpointOf } from "./container";
import { DockerNetwork } from "./network";
import { DockerNodes } from "./nodes";

/** The lab: containers on one Docker engine. */
export class DockerPlatform implements Platform {
  readonly machines: Machines;
  readonly talosReplaces = true;
  readonly mayBeDown = true;
  readonly talosEndpoints: Readonly<Record<string, string>>;
  readonly #plan: DockerClusterPlan;
  readonly #engine: DockerEngine;

  constructor(plan: DockerClusterPlan, engine: DockerEngine) {
    this.#plan = plan;
    this.#engine = engine;
    const { host, context } = plan.docker;
    this.machines = {
      machines: {
        platform: "docker",
        engine: { ...(host === undefined ? {} : { host }), ...(context === undefined ? {} : { context }) },
      },
    };
    this.talosEndpoints = Object.fromEntries(
      plan.nodes.map((node) => [node.name, endpointOf(plan.docker, node)]),
    );
  }

  foundation(image: Image): Foundation {
    const plan = this.#plan;
    void pulumi.log.info(`Docker engine ${veiled(this.#engine.host)} (${this.#engine.from})`);
    const network = new DockerNetwork(plan.name, { plan, image, engine: this.#engine });
    return {
      network: network.network,
      // A container's addresses are the plan's own.
      ownAddresses: {},
      build: (turns) => nodesOf(new DockerNodes(plan.name, { plan, network, image, turns }).nodes),
    };
  }

  keepAccess(access: Access): void {
    new AccessFiles(this.#plan.name, { access });
  }
}
