import * as pulumi from "@pulumi/pulumi";
import { operations } from "../agreed/operations";
import type { Limits } from "../config/types";
import type { ConfigApply } from "./config-apply";
import { operation } from "./operation";
import { tokens } from "./tokens";
import type { Bootstrapped, Machines, Nodes } from "./types";

export interface ClusterBootstrapArgs {
  readonly nodes: Nodes;
  readonly applied: ConfigApply;
  readonly talosconfig: pulumi.Output<string>;
  readonly limits: Limits;
  readonly machines: Machines;
}

/** Founds etcd once, on the first control plane. "Already founded, and healthy" is success. */
export class ClusterBootstrap extends pulumi.ComponentResource implements Bootstrapped {
  readonly founded: pulumi.Resource;
  readonly nodes: Nodes;

  constructor(name: string, args: ClusterBootstrapArgs, opts?: pulumi.ComponentResourceOptions) {
    super(tokens.bootstrap, name, {}, opts);
    this.nodes = args.nodes;
    const controlPlanes = pulumi.all(
      args.nodes.controlPlanes.map((node) =>
        node.talosEndpoint.apply((endpoint) => ({ name: node.name, address: node.address, endpoint })),
      ),
    );
    this.founded = operation(
      `${name}-bootstrap`,
      {
        onCreate: operations.bootstrap,
        input: {
          talosconfig: args.talosconfig,
          controlPlanes,
          limits: args.limits,
          ...args.machines,
        },
        // A first control plane that was made again may have lost etcd; the operation asks all of them first.
        triggers: args.nodes.controlPlanes.slice(0, 1).map((node) => node.id),
      },
      // No value flows from a config apply, and a node without its config has no etcd to found.
      { parent: this, dependsOn: [...args.applied.controlPlanes] },
    );
    this.registerOutputs({});
  }
}
