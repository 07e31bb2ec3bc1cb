/** What a node's pool and patches ask for, as far as it can be read back. Pure. */
import { isDeletion, isMappingValue, valueAt } from "../../base/paths";
import type { NodePlan } from "../../config/types";
import { holdsSecret, mergedValues, secretAt, type Values, valueText, type Wanted, wanted } from "./values";

export interface HostEntry {
  readonly ip: string;
  readonly aliases: readonly string[];
}

export interface ExpectedOfNode {
  /** By component (`apiServer`, `kubelet`), then by argument. */
  readonly extraArgs: ReadonlyMap<string, Values>;
  readonly labels: Values;
  readonly sysctls: Values;
  readonly hostEntries: readonly HostEntry[];
  /** Others may stand beside them that are nobody's to see. */
  readonly secretHostEntries: boolean;
  readonly schedulingOnControlPlanes: Wanted | undefined;
}

const EXTRA_ARGS = [
  ["apiServer", ["cluster", "apiServer", "extraArgs"]],
  ["controllerManager", ["cluster", "controllerManager", "extraArgs"]],
  ["scheduler", ["cluster", "scheduler", "extraArgs"]],
  ["etcd", ["cluster", "etcd", "extraArgs"]],
  ["proxy", ["cluster", "proxy", "extraArgs"]],
  ["kubelet", ["machine", "kubelet", "extraArgs"]],
] as const;

const LABELS = ["machine", "nodeLabels"] as const;
const HOST_ENTRIES = ["machine", "network", "extraHostEntries"] as const;
const SCHEDULING = ["cluster", "allowSchedulingOnControlPlanes"] as const;

const documentsOf = ({ patches }: Pick<NodePlan, "patches">): readonly unknown[] =>
  patches.flatMap(({ documents }) => documents);

/** Later patches win, as in the merge itself. Components whose arguments nobody sets are left out. */
export function expectedOf(node: NodePlan): ExpectedOfNode {
  const pool = { machine: { nodeLabels: node.labels } };
  const documents = [pool, ...documentsOf(node)];
  const extraArgs = EXTRA_ARGS.map(
    ([component, path]) => [component, mergedValues(documents, path)] as const,
  );
  return {
    extraArgs: new Map(extraArgs.filter(([, values]) => values.size > 0)),
    labels: mergedValues(documents, LABELS),
    sysctls: mergedValues(documents, ["machine", "sysctls"]),
    hostEntries: documents.flatMap((document) => hostEntries(valueAt(document, HOST_ENTRIES))),
    secretHostEntries: documents.some(
      (document) => secretAt(document, HOST_ENTRIES) || holdsSecret(valueAt(document, HOST_ENTRIES)),
    ),
    schedulingOnControlPlanes: scheduling(documents),
  };
}

function scheduling(documents: readonly unknown[]): Wanted | undefined {
  return documents.reduce<Wanted | undefined>((before, document) => {
    if (secretAt(document, SCHEDULING)) return { kind: "secret" };
    const said = valueAt(document, SCHEDULING);
    return said === undefined || said === null ? before : wanted(said);
  }, undefined);
}

/** Lists are appended to one another by the merge. Entries with something encrypted are not read back. */
export function hostEntries(value: unknown): HostEntry[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter(isMappingValue)
    .filter((entry) => !holdsSecret(entry))
    .map(({ ip, aliases }) => ({
      ip: valueText(ip ?? ""),
      aliases: Array.isArray(aliases) ? aliases.map(valueText) : [],
    }));
}

/** Taints that must stand on the node's object, each with its key: `build:NoSchedule`, `NoExecute`. A key may have several. */
export function expectedTaints(node: NodePlan): readonly (readonly [string, Wanted])[] {
  const configured = mergedValues(documentsOf(node), ["machine", "nodeTaints"]);
  const registered = documentsOf(node).flatMap((document) =>
    registeredTaints(valueAt(document, ["machine", "kubelet", "extraConfig", "registerWithTaints"])),
  );
  const ofPool = node.taints
    // A control plane's stand in `nodeTaints`, where a patch wins.
    .filter(({ key }) => !configured.has(key))
    .map((taint) => [taint.key, { kind: "text", text: taintText(taint) }] as const);
  return [...ofPool, ...normal(configured), ...registered];
}

interface TaintText {
  readonly value?: string | undefined;
  readonly effect: string;
}

/** As `kubectl describe` writes what follows the key. */
export const taintText = ({ value, effect }: TaintText): string =>
  value === undefined || value === "" ? effect : `${value}:${effect}`;

/** Talos takes `:NoSchedule` for `NoSchedule`. */
const normal = (values: Values): [string, Wanted][] =>
  [...values].map(([key, want]) => [
    key,
    want.kind === "text" ? { kind: "text", text: want.text.replace(/^:/, "") } : want,
  ]);

function registeredTaints(value: unknown): [string, Wanted][] {
  if (!Array.isArray(value) || isDeletion(value)) return [];
  return value.filter(isMappingValue).map((taint) => {
    const key = valueText(taint["key"] ?? "");
    if (holdsSecret(taint)) return [key, { kind: "secret" }];
    const given = { value: valueText(taint["value"] ?? ""), effect: valueText(taint["effect"] ?? "") };
    return [key, { kind: "text", text: taintText(given) }];
  });
}
