import * as pulumi from "@pulumi/pulumi";
import * as talos from "@pulumiverse/talos";
import type { MachineSecrets } from "./machine-secrets";
import { tokens } from "./tokens";
import type { ClusterNode, MachineConfigs, Nodes } from "./types";

export interface ConfigApplyArgs {
  readonly nodes: Nodes;
  readonly configs: MachineConfigs;
  readonly identity: MachineSecrets;
  /** How long a node may take to answer, a Go duration such as `10m`. */
  readonly timeout: string;
}

/** Delivers each node's config over the Talos API: the first one in maintenance mode, later ones live. */
export class ConfigApply extends pulumi.ComponentResource {
  /** Exist once the control planes have taken their configs. */
  readonly controlPlanes: readonly pulumi.Resource[];

  constructor(name: string, args: ConfigApplyArgs, opts?: pulumi.ComponentResourceOptions) {
    super(tokens.configApply, name, {}, opts);
    const workers = args.nodes.all.filter((node) => node.role === "worker");
    this.controlPlanes = this.applyInTurn(args.nodes.controlPlanes, args);
    workers.forEach((node) => this.apply(node, args, []));
    this.registerOutputs({});
  }

  /** One control plane after the other: a config that breaks one must not reach the next. */
  private applyInTurn(nodes: readonly ClusterNode[], args: ConfigApplyArgs): pulumi.Resource[] {
    return nodes.reduce<pulumi.Resource[]>(
      (done, node) => [...done, this.apply(node, args, done.slice(-1))],
      [],
    );
  }

  private apply(node: ClusterNode, args: ConfigApplyArgs, after: pulumi.Resource[]): pulumi.Resource {
    const config = args.configs[node.name];
    if (config === undefined) {
      throw new Error(`${node.name}: no machine config was made for this node; this is a bug in talos-fleet`);
    }
    return new talos.machine.ConfigurationApply(
      `${node.name}-config`,
      {
        clientConfiguration: args.identity.clientConfiguration,
        machineConfigurationInput: config,
        node: node.address,
        endpoint: node.talosEndpoint,
        // The node itself refuses what would need a reboot.
        applyMode: "no_reboot",
        timeouts: { create: args.timeout, update: args.timeout, delete: args.timeout },
      },
      {
        parent: this,
        // Another machine under the same name starts without a config, though nothing else changed.
        replacementTrigger: node.id,
        dependsOn: after,
      },
    );
  }
}
