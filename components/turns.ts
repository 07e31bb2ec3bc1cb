import * as pulumi from "@pulumi/pulumi";
import { type InputOf, operations } from "../agreed/operations";
import { expectations } from "../agreed/patch-effects";
import type { ClusterPlan, NodePlan } from "../config/types";
import type { MachineSecrets } from "./machine-secrets";
import { operation } from "./operation";
import { talosconfig } from "./talosconfig";
import { tokens } from "./tokens";
import type { ClusterNode, Machines } from "./types";

export interface TurnsArgs {
  readonly plan: Pick<ClusterPlan, "name" | "nodes" | "versions" | "limits">;
  readonly identity: MachineSecrets;
  readonly machines: Machines;
  /** By node name, `host:port`. */
  readonly talosEndpoints: Readonly<Record<string, string>>;
}

type Gate = InputOf<typeof operations.waitNode>;

/**
 * One node at a time: the next machine is touched once the one before has passed its gate. A gate costs nothing on creation;
 * once a node's machine was replaced, it waits until that node is back.
 */
export class Turns extends pulumi.ComponentResource {
  readonly #args: TurnsArgs;
  #talosconfig: pulumi.Output<string> | undefined;

  constructor(name: string, args: TurnsArgs, opts?: pulumi.ComponentResourceOptions) {
    super(tokens.turns, name, {}, opts);
    this.#args = args;
    this.registerOutputs({});
  }

  /** Makes the machines in the plan's order; `make` gets what it has to come after. */
  each<Node extends NodePlan>(
    nodes: readonly Node[],
    make: (node: Node, after: readonly pulumi.Resource[]) => ClusterNode,
  ): readonly ClusterNode[] {
    const made: ClusterNode[] = [];
    let after: readonly pulumi.Resource[] = [];
    for (const node of nodes) {
      const machine = make(node, after);
      after = [this.gate(node, machine)];
      made.push(machine);
    }
    return made;
  }

  private gate(node: NodePlan, { id }: Pick<ClusterNode, "id">): pulumi.Resource {
    const { plan, machines } = this.#args;
    return operation(
      `${node.name}-gate`,
      {
        // What the next call is told: it waits only for a machine that is not this one.
        answer: id,
        onChange: operations.waitNode,
        input: {
          container: id,
          node: this.input(node),
          controlPlanes: this.controlPlanes(),
          talosVersion: plan.versions.talos,
          ready: expectations(plan.nodes).nodesReady,
          limits: plan.limits,
          ...machines,
          talosconfig: this.talosconfig(),
        },
      },
      { parent: this },
    );
  }

  /** Without the workers: a pool that grows must not change what every gate takes. */
  private talosconfig(): pulumi.Output<string> {
    const controlPlanes = this.controlPlanes().map(({ address, endpoint }) => ({
      address,
      talosEndpoint: pulumi.output(endpoint),
    }));
    this.#talosconfig ??= talosconfig({
      clusterName: this.#args.plan.name,
      identity: this.#args.identity,
      nodes: { all: controlPlanes, controlPlanes },
    });
    return this.#talosconfig;
  }

  private controlPlanes(): Gate["controlPlanes"] {
    const { nodes } = this.#args.plan;
    return nodes.filter(({ role }) => role === "controlplane").map((node) => this.input(node));
  }

  private input({ name, role, address }: NodePlan): Gate["node"] {
    const endpoint = this.#args.talosEndpoints[name];
    if (endpoint === undefined) {
      throw new Error(
        `${name}: where its Talos API is reached is not known in advance; this is a bug in talos-fleet`,
      );
    }
    return { name, role, address, endpoint };
  }
}
