import * as pulumi from "@pulumi/pulumi";
import type { DockerClusterPlan, DockerNodePlan } from "../../../config/types";
import { engineInput } from "../../engine-input";
import { expectations } from "../../../agreed/patch-effects";
import type { MachineSecrets } from "../../machine-secrets";
import { operation } from "../../operation";
import { talosconfig } from "../../talosconfig";
import type { ClusterNode } from "../../types";
import { endpointOf } from "./container";

export interface NodeGatesArgs {
  readonly plan: DockerClusterPlan;
  readonly identity: MachineSecrets;
  readonly parent: pulumi.Resource;
}

/** What stands between two containers: nothing at first, and once a node's container was replaced, that node's health. */
export class NodeGates {
  readonly #args: NodeGatesArgs;
  readonly #talosconfig: pulumi.Output<string>;

  constructor(args: NodeGatesArgs) {
    this.#args = args;
    const { name, docker, nodes } = args.plan;
    const controlPlanes = nodes
      .filter(({ role }) => role === "controlplane")
      .map((node) => ({ ...node, talosEndpoint: pulumi.output(endpointOf(docker, node)) }));
    // Without the workers: a pool that grows must not make every gate wait.
    const known = { all: controlPlanes, controlPlanes };
    this.#talosconfig = talosconfig({ clusterName: name, identity: args.identity, nodes: known });
  }

  /** Exists once the next container may be touched. */
  gate(node: DockerNodePlan, { id }: Pick<ClusterNode, "id">): pulumi.Resource {
    const { plan, parent } = this.#args;
    const input = ({ name, role, address, talosPort }: DockerNodePlan) => ({
      ...{ name, role, address },
      endpoint: endpointOf(plan.docker, { talosPort }),
    });
    const controlPlanes = plan.nodes.filter(({ role }) => role === "controlplane");
    return operation(
      `${node.name}-gate`,
      {
        // A container's first node has no config yet and nothing to wait for.
        onChange: "wait node",
        input: {
          container: id,
          node: input(node),
          controlPlanes: controlPlanes.map(input),
          talosVersion: plan.versions.talos,
          ready: expectations(plan).nodesReady,
          limits: plan.limits,
          ...engineInput(plan),
          talosconfig: this.#talosconfig,
        },
      },
      { parent },
    );
  }
}
