import * as pulumi from "@pulumi/pulumi";
import * as talos from "@pulumiverse/talos";
import type { ClusterPlan, NodePlan } from "../config/types";
import { ownAddressesPatch } from "../machine/common";
import { patchesFor, patchTexts } from "../machine/patches";
import type { Reservation } from "../machine/reserve";
import type { MachineSecrets } from "./machine-secrets";
import type { Foundation, MachineConfigs } from "./types";

/** What a node's config is rendered from, but for addresses that are not known yet. */
export interface ConfigSources {
  readonly plan: Pick<ClusterPlan, "name" | "nodes" | "versions" | "pods" | "services">;
  /** `<factory host>/<platform>-installer/<id>:<version>`. */
  readonly installer: string;
  readonly reservation: Reservation;
  readonly machineSecrets: MachineSecrets["machineSecrets"];
}

export interface MachineConfigsArgs extends Omit<ConfigSources, "machineSecrets"> {
  readonly foundation: Pick<Foundation, "ownAddresses">;
  readonly identity: MachineSecrets;
}

/** One secret config text a node, merged by the provider. No resource: nothing is created here. */
export function machineConfigs(args: MachineConfigsArgs): MachineConfigs {
  const sources = { ...args, machineSecrets: args.identity.machineSecrets };
  return Object.fromEntries(
    args.plan.nodes.map((node) => [
      node.name,
      renderedConfig(node, sources, args.foundation.ownAddresses[node.name]),
    ]),
  );
}

/** One node's config, with its own addresses in its certificates where it has some. */
export function renderedConfig(
  node: NodePlan,
  sources: ConfigSources,
  own?: pulumi.Output<string[]>,
): pulumi.Output<string> {
  const { plan, reservation, machineSecrets } = sources;
  const ordered = patchTexts(patchesFor(node, sources));
  const configuration = talos.machine.getConfigurationOutput({
    clusterName: plan.name,
    clusterEndpoint: reservation.endpoint,
    machineType: node.role,
    // Untouched: rebuilding the object loses keys that the provider needs.
    machineSecrets,
    talosVersion: plan.versions.contract,
    kubernetesVersion: plan.versions.kubernetes,
    // The node's own addresses go first, so that the operator's patches still win.
    configPatches:
      own === undefined
        ? ordered
        : own.apply((addresses) => [...patchTexts([ownAddressesPatch(addresses)]), ...ordered]),
    docs: false,
    examples: false,
  });
  return pulumi.secret(configuration.machineConfiguration);
}
