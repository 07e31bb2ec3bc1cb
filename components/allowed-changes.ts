/** Before anything is touched: refuses what this program cannot do well to a running cluster, and says what a change does not reach. */
import * as pulumi from "@pulumi/pulumi";
import { ConfigError, type Fault } from "../base/faults";
import type { Mapping } from "../base/paths";
import type { NodePlan } from "../config/types";
import { readDocuments } from "../config/yaml";
import { type Kept, keptTaints, keptTaintsTexts } from "../machine/kept-taints";
import { changesBetween, rebootPaths } from "../machine/reboots";
import { rebootFaults, versionFaults } from "../machine/refused-changes";
import { type Former, formerState } from "./former";
import { type ConfigSources, renderedConfig } from "./machine-configs";

export interface AllowedChangesArgs extends Omit<ConfigSources, "machineSecrets"> {
  readonly schematicId: string;
  /** Whether another Talos version is another machine on this platform. */
  readonly talosReplaces: boolean;
}

/** Settles when the run may go on. In a preview and in `up` alike it fails with every refusal at once. */
export const allowedChanges = (args: AllowedChangesArgs): pulumi.Output<true> =>
  pulumi.output(formerState(args.plan.name)).apply((former) =>
    pulumi.output(changesByNode(args, former)).apply((changes) => {
      const versions = versionFaults({ ...args, record: former.record, configs: former.configs });
      const kept = Object.values(changes).flatMap((change) => change.kept);
      for (const text of keptTaintsTexts(kept)) void pulumi.log.warn(text);
      const reboots = Object.entries(changes).map(([node, change]) => [node, change.reboots] as const);
      return unless([...versions, ...rebootFaults(Object.fromEntries(reboots))]);
    }),
  );

function unless(faults: readonly Fault[]): true {
  // Of any other error Pulumi shows the stack as well.
  if (faults.length > 0) throw new pulumi.RunError(new ConfigError(faults).message);
  return true;
}

/** What its coming config would change of a node that has one. No values: the configs are secret. */
interface NodeChanges {
  /** The paths for which it would have to reboot. */
  readonly reboots: readonly string[];
  readonly kept: readonly Kept[];
}

function changesByNode(
  args: AllowedChangesArgs,
  { configs, machineSecrets }: Former,
): Record<string, pulumi.Output<NodeChanges>> {
  if (machineSecrets === undefined) return {};
  return Object.fromEntries(
    args.plan.nodes.flatMap((node) => {
      const before = configs[node.name];
      if (before === undefined) return [];
      // Without the node's own addresses: only certificates hold those, and they are taken live.
      const after = renderedConfig(node, { ...args, machineSecrets: pulumi.secret(machineSecrets) });
      return [[node.name, pulumi.unsecret(after.apply((text) => changesOf(node, before, text)))]];
    }),
  );
}

function changesOf(node: NodePlan, before: string, after: string): NodeChanges {
  if (before === after) return { reboots: [], kept: [] };
  const [old, coming] = [documents(before), documents(after)];
  return { reboots: rebootPaths(changesBetween(old, coming)), kept: keptTaints(node, old, coming) };
}

const documents = (text: string): readonly Mapping[] => readDocuments(text) as readonly Mapping[];
