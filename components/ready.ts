import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { operations } from "../agreed/operations";
import type { ClusterPlan } from "../config/types";
import { expectations } from "../agreed/patch-effects";
import { operation } from "./operation";
import { tokens } from "./tokens";
import type { Access, MachineConfigs, Machines, Nodes } from "./types";

export interface ClusterReadyArgs {
  readonly plan: Pick<ClusterPlan, "nodes" | "versions" | "limits">;
  readonly machines: Machines;
  readonly nodes: Nodes;
  readonly configs: MachineConfigs;
  readonly access: Access;
  /** What must have happened before waiting makes sense. */
  readonly after: readonly pulumi.Resource[];
}

/** Waits, one after another, until the cluster is what the plan says, and names the wait that does not come. */
export class ClusterReady extends pulumi.ComponentResource {
  constructor(name: string, args: ClusterReadyArgs, opts?: pulumi.ComponentResourceOptions) {
    super(tokens.ready, name, {}, opts);
    const { plan, access } = args;
    const nodes = pulumi.all(
      args.nodes.all.map(({ name: node, role, address, talosEndpoint, id }) =>
        // The machine goes in only because another one under the same name is a reason to wait again.
        pulumi
          .all([talosEndpoint, id])
          .apply(([endpoint, machine]) => ({ name: node, role, address, endpoint, machine })),
      ),
    );
    operation(
      `${name}-ready`,
      {
        onCreate: operations.waitReady,
        onChange: operations.waitReady,
        input: {
          nodes,
          kubernetesVersion: plan.versions.kubernetes,
          expect: expectations(plan.nodes),
          limits: plan.limits,
          ...args.machines,
          kubeconfig: access.kubeconfig,
          talosconfig: access.talosconfig,
          // A changed config is a reason to look again.
          configs: fingerprint(args.configs),
        },
      },
      // The workers' configs give no value, and a node without one never becomes Ready.
      { parent: this, dependsOn: [...args.after] },
    );
    this.registerOutputs({});
  }
}

const fingerprint = (configs: MachineConfigs): pulumi.Output<string> =>
  pulumi
    .all(Object.values(configs))
    .apply((texts) => createHash("sha256").update(texts.join("\0")).digest("hex"));
