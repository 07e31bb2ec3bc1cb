import { ConfigMap } from "@pulumi/kubernetes/core/v1/configMap";
import * as pulumi from "@pulumi/pulumi";
import { fleetRecord, recordData } from "../../agreed/fleet-record";
import type { Versions } from "../../agreed/types";
import type { Kubernetes } from "../kubernetes";
import { tokens } from "../tokens";

export interface FleetRecordArgs {
  readonly kubernetes: Kubernetes;
  readonly schematicId: string;
  readonly versions: Versions;
}

/** A ConfigMap that tells, inside the cluster, what it was built from. */
export class FleetRecord extends pulumi.ComponentResource {
  readonly record: pulumi.Resource;

  constructor(name: string, args: FleetRecordArgs, opts?: pulumi.ComponentResourceOptions) {
    super(tokens.fleetRecord, name, {}, opts);
    const { schematicId, versions } = args;
    this.record = new ConfigMap(
      `${name}-record`,
      { metadata: fleetRecord, data: recordData({ cluster: name, schematicId, versions }) },
      args.kubernetes.options(this),
    );
    this.registerOutputs({});
  }
}
