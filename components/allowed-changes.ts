/** Refuses, before anything is touched, what this program cannot do well to a running cluster. */
import * as pulumi from "@pulumi/pulumi";
import { ConfigError } from "../base/faults";
import type { ClusterPlan } from "../config/types";
import { versionFaults } from "../machine/version-changes";
import { type Former, formerState } from "./former";

export interface AllowedChangesArgs {
  readonly plan: Pick<ClusterPlan, "name" | "nodes" | "versions">;
  readonly schematicId: string;
  /** Whether another Talos version is another machine on this platform. */
  readonly talosReplaces: boolean;
}

/** Settles when the run may go on. In a preview and in `up` alike it fails with every refusal at once. */
export const allowedChanges = (args: AllowedChangesArgs): pulumi.Output<true> =>
  pulumi.output(formerState().then((former) => judged(args, former)));

function judged({ plan, schematicId, talosReplaces }: AllowedChangesArgs, { record }: Former): true {
  const faults = record === undefined ? [] : versionFaults({ plan, schematicId, talosReplaces, record });
  // Of any other error Pulumi shows the stack as well.
  if (faults.length > 0) throw new pulumi.RunError(new ConfigError(faults).message);
  return true;
}
