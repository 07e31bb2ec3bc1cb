/** Refuses, before anything is touched, what this program cannot do well to a running cluster. */
import * as pulumi from "@pulumi/pulumi";
import { ConfigError, type Fault } from "../base/faults";
import type { Mapping } from "../base/paths";
import { readDocuments } from "../config/yaml";
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
  pulumi.output(formerState()).apply((former) =>
    pulumi.output(needsReboot(args, former)).apply((paths) => {
      const { record } = former;
      const versions = record === undefined ? [] : versionFaults({ ...args, record });
      return unless([...versions, ...rebootFaults(paths)]);
    }),
  );

function unless(faults: readonly Fault[]): true {
  // Of any other error Pulumi shows the stack as well.
  if (faults.length > 0) throw new pulumi.RunError(new ConfigError(faults).message);
  return true;
}

/** By node: the paths in which its coming config differs from the one it has so that it would have to reboot. */
function needsReboot(
  args: AllowedChangesArgs,
  { configs, machineSecrets }: Former,
): Record<string, pulumi.Output<readonly string[]>> {
  if (machineSecrets === undefined) return {};
  return Object.fromEntries(
    args.plan.nodes.flatMap((node) => {
      const before = configs[node.name];
      if (before === undefined) return [];
      // Without the node's own addresses: only certificates hold those, and they are taken live.
      const after = renderedConfig(node, { ...args, machineSecrets: pulumi.secret(machineSecrets) });
      return [[node.name, pulumi.unsecret(after.apply((text) => paths(before, text)))]];
    }),
  );
}

const paths = (before: string, after: string): readonly string[] =>
  before === after ? [] : rebootPaths(changesBetween(documents(before), documents(after)));

const documents = (text: string): readonly Mapping[] => readDocuments(text) as readonly Mapping[];
