/** What the Kubernetes API shows. Pure. */
import { fleetRecord } from "../../agreed/fleet-record";
import { expectations } from "../../agreed/patch-effects";
import type { ClusterPlan, NodePlan } from "../../config/types";
import type { Look } from "../lib/look";
import { type Check, judged, listed, same } from "./check";
import { expectedOf, expectedTaints, taintText } from "./expected";
import { compared } from "./values";

export interface LiveNode {
  readonly name: string;
  readonly ready: boolean;
  /** `v1.35.8` */
  readonly kubelet: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly {
    readonly key: string;
    readonly value?: string | undefined;
    readonly effect: string;
  }[];
}

export function nodeChecks(plan: ClusterPlan, live: Look<readonly LiveNode[]>): readonly Check[] {
  const expected = `${readiness(replacesCni(plan) ? undefined : true)}kubelet v${plan.versions.kubernetes}`;
  return judged(live, { what: "Kubernetes nodes", expected }, (nodes) => [
    ...plan.nodes.map((node) => {
      const what = `${node.name} in Kubernetes`;
      const seen = nodes.find(({ name }) => name === node.name);
      if (seen === undefined) return { what, expected, seen: "not registered", result: "FAIL" as const };
      const ready = readiness(replacesCni(plan) ? undefined : seen.ready);
      return same(what, expected, `${ready}kubelet ${seen.kubelet}`);
    }),
    ...plan.nodes.flatMap((node) => {
      const seen = nodes.find(({ name }) => name === node.name);
      return [...labelChecks(node, seen), ...taintChecks(node, seen)];
    }),
  ]);
}

const readiness = (ready: boolean | undefined): string =>
  ready === undefined ? "" : ready ? "Ready, " : "not Ready, ";

/** With `cni.name: none` a node cannot be Ready until somebody installs one. */
const replacesCni = ({ nodes }: ClusterPlan): boolean => !expectations(nodes).nodesReady;

const labelChecks = (node: NodePlan, seen: LiveNode | undefined): Check[] =>
  [...expectedOf(node).labels].map(([key, wanted]) =>
    compared({ what: `${node.name} label ${key}`, key, wanted, seen: seen?.labels[key] }),
  );

/** Only those that the stack file asks for: controllers of the cluster put others on nodes and take them off. */
const taintChecks = (node: NodePlan, seen: LiveNode | undefined): Check[] =>
  expectedTaints(node).map(([key, wanted]) => {
    const live = (seen?.taints ?? []).filter((taint) => taint.key === key).map(taintText);
    // One key can stand there with several effects.
    const same = wanted.kind === "text" ? live.find((text) => text === wanted.text) : undefined;
    const others = live.length === 0 ? undefined : listed(live);
    return compared({ what: `${node.name} taint ${key}`, key, wanted, seen: same ?? others });
  });

/** What the program records in kube-system/talos-fleet. */
export function recordChecks(
  wanted: Readonly<Record<string, string>>,
  live: Look<Readonly<Record<string, string>>>,
): readonly Check[] {
  const what = `ConfigMap ${fleetRecord.namespace}/${fleetRecord.name}`;
  return judged(live, { what, expected: "the plan's versions and schematic" }, (data) =>
    Object.entries(wanted)
      .sort(byKey)
      .map(([key, value]) => same(`${what} ${key}`, value, data[key] ?? "absent")),
  );
}

const byKey = ([left]: [string, string], [right]: [string, string]): number => left.localeCompare(right);
