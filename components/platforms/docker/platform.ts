import * as pulumi from "@pulumi/pulumi";
import type { DockerEngine } from "../../../config/docker-engine";
import type { DockerClusterPlan } from "../../../config/types";
import type { MachineSecrets } from "../../machine-secrets";
import type { Image, Nodes, Reservation } from "../../types";
import type { Platform } from "../platform";
import { KUBERNETES_PORT } from "./container";
import { DockerNetwork } from "./network";
import { DockerNodes } from "./nodes";
import { dockerPatch } from "../../../machine/platforms/docker";

/** The lab: containers on one Docker engine. */
export class DockerPlatform implements Platform {
  readonly #plan: DockerClusterPlan;
  readonly #engine: DockerEngine;

  constructor(plan: DockerClusterPlan, engine: DockerEngine) {
    this.#plan = plan;
    this.#engine = engine;
  }

  reserve(): Reservation {
    const [first] = this.#plan.nodes;
    return {
      endpoint: `https://${first?.address ?? ""}:${KUBERNETES_PORT}`,
      nodeNetwork: this.#plan.docker.subnet,
      patches: [dockerPatch(this.#plan.docker)],
      nodePatches: {},
    };
  }

  build(image: Image, identity: MachineSecrets): Nodes {
    const plan = this.#plan;
    void pulumi.log.info(`Docker engine ${this.#engine.host} (${this.#engine.from})`);
    const network = new DockerNetwork(plan.name, { plan, image, engine: this.#engine });
    const { nodes } = new DockerNodes(plan.name, { plan, network, image, identity });
    return {
      all: nodes,
      controlPlanes: nodes.filter((node) => node.role === "controlplane"),
      network: network.network,
    };
  }
}
