import * as pulumi from "@pulumi/pulumi";
import * as talos from "@pulumiverse/talos";
import type { ClusterPlan, NodePlan } from "../config/types";
import { ownAddressesPatch } from "../machine/common";
import { patchesFor, patchTexts } from "../machine/patches";
import type { Reservation } from "../machine/reserve";
import type { MachineSecrets } from "./machine-secrets";
import type { Foundation, Image, MachineConfigs } from "./types";

export interface MachineConfigsArgs {
  readonly plan: Pick<ClusterPlan, "name" | "nodes" | "versions" | "pods" | "services">;
  readonly image: Pick<Image, "installer">;
  readonly reservation: Reservation;
  readonly foundation: Pick<Foundation, "ownAddresses">;
  readonly identity: MachineSecrets;
}

/** One secret config text a node, merged by the provider. No resource: nothing is created here. */
export function machineConfigs(args: MachineConfigsArgs): MachineConfigs {
  return Object.fromEntries(args.plan.nodes.map((node) => [node.name, machineConfig(node, args)]));
}

function machineConfig(node: NodePlan, args: MachineConfigsArgs): pulumi.Output<string> {
  const { plan, reservation, foundation, identity } = args;
  const own = foundation.ownAddresses[node.name];
  const ordered = patchTexts(patchesFor(node, { plan, installer: args.image.installer, reservation }));
  const configuration = talos.machine.getConfigurationOutput({
    clusterName: plan.name,
    clusterEndpoint: reservation.endpoint,
    machineType: node.role,
    // Untouched: rebuilding the object loses keys that the provider needs.
    machineSecrets: identity.machineSecrets,
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
