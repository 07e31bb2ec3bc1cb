import { ConfigMap } from "@pulumi/kubernetes/core/v1/configMap";
import { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import type { Versions } from "../../config/types";
import { tokens } from "../tokens";
import type { Access } from "../types";

export interface FleetRecordArgs {
  readonly access: Access;
  readonly schematicId: string;
  readonly versions: Versions;
  /** With the network gone the cluster is gone: a destroy need not ask its API. */
  readonly network: pulumi.Resource;
  /** A cluster that cannot be asked is taken to be as it was: without it a lab with a dead container could not be refreshed. */
  readonly mayBeDown: boolean;
}

/** A ConfigMap that tells, inside the cluster, what it was built from. */
export class FleetRecord extends pulumi.ComponentResource {
  readonly record: pulumi.Resource;

  constructor(name: string, args: FleetRecordArgs, opts?: pulumi.ComponentResourceOptions) {
    super(tokens.fleetRecord, name, {}, opts);
    const provider = new Provider(
      `${name}-kubernetes`,
      // Without a fixed identifier a changed kubeconfig would replace every object.
      {
        kubeconfig: args.access.kubeconfig,
        clusterIdentifier: name,
        ...(args.mayBeDown ? { skipUpdateUnreachable: true } : {}),
      },
      { parent: this },
    );
    this.record = new ConfigMap(
      `${name}-record`,
      {
        metadata: { name: "talos-fleet", namespace: "kube-system" },
        data: {
          cluster: name,
          schematic: args.schematicId,
          talos: args.versions.talos,
          kubernetes: args.versions.kubernetes,
          contract: args.versions.contract,
        },
      },
      { parent: this, provider, deletedWith: args.network },
    );
    this.registerOutputs({});
  }
}
