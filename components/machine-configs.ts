import * as pulumi from "@pulumi/pulumi";
import * as talos from "@pulumiverse/talos";
import type { ClusterPlan, NodePlan } from "../config/types";
import type { MachineSecrets } from "./machine-secrets";
import { patchesFor, patchTexts } from "../machine/order";
import type { Image, MachineConfigs, Reservation } from "./types";

export interface MachineConfigsArgs {
  readonly plan: ClusterPlan;
  readonly image: Image;
  readonly reservation: Reservation;
  readonly identity: MachineSecrets;
}

/** One secret config text a node, merged by the provider. No resource: nothing is created here. */
export function machineConfigs(args: MachineConfigsArgs): MachineConfigs {
  return Object.fromEntries(args.plan.nodes.map((node) => [node.name, machineConfig(node, args)]));
}

function machineConfig(node: NodePlan, args: MachineConfigsArgs): pulumi.Output<string> {
  const { plan, image, reservation, identity } = args;
  const facts = {
    installer: image.installer,
    nodeNetwork: reservation.nodeNetwork,
    pods: plan.pods,
    services: plan.services,
  };
  const own = reservation.nodePatches[node.name];
  const ordered = patchTexts(patchesFor(node, { plan, facts, platform: reservation.patches }));
  const configuration = talos.machine.getConfigurationOutput({
    clusterName: plan.name,
    clusterEndpoint: reservation.endpoint,
    machineType: node.role,
    // Untouched: rebuilding the object loses keys that the provider needs.
    machineSecrets: identity.machineSecrets,
    talosVersion: plan.versions.contract,
    kubernetesVersion: plan.versions.kubernetes,
    // The platform's patch for this node goes first, so that the operator's still win.
    configPatches: own === undefined ? ordered : own.apply((patch) => [...patchTexts([patch]), ...ordered]),
    docs: false,
    examples: false,
  });
  return pulumi.secret(configuration.machineConfiguration);
}
