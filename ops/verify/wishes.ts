/** What a node's labels and patches ask for, as far as it can be read back. Pure. */
import { isDeletion, isMappingValue, valueAt } from "../../base/paths";
import type { NodePlan } from "../../config/types";

/** By key; undefined where a patch takes the key away (`$patch: delete`). */
export type Values = ReadonlyMap<string, string | undefined>;

export interface HostEntry {
  readonly ip: string;
  readonly aliases: readonly string[];
}

export interface NodeWishes {
  /** By component (`apiServer`, `kubelet`), then by argument. */
  readonly extraArgs: ReadonlyMap<string, Values>;
  readonly labels: Values;
  readonly sysctls: Values;
  readonly hostEntries: readonly HostEntry[];
  readonly schedulingOnControlPlanes: string | undefined;
}

const EXTRA_ARGS = [
  ["apiServer", ["cluster", "apiServer", "extraArgs"]],
  ["controllerManager", ["cluster", "controllerManager", "extraArgs"]],
  ["scheduler", ["cluster", "scheduler", "extraArgs"]],
  ["etcd", ["cluster", "etcd", "extraArgs"]],
  ["proxy", ["cluster", "proxy", "extraArgs"]],
  ["kubelet", ["machine", "kubelet", "extraArgs"]],
] as const;

/** Later patches win, as in the merge itself. Components whose arguments nobody sets are left out. */
export function nodeWishes(node: NodePlan): NodeWishes {
  const pool = { machine: { nodeLabels: node.labels } };
  const documents = [pool, ...node.patches.flatMap(({ documents: own }) => own)];
  const extraArgs = EXTRA_ARGS.map(([component, path]) => [component, merged(documents, path)] as const);
  const scheduling = documents.map((document) => valueAt(document, SCHEDULING)).filter(isPresent);
  return {
    extraArgs: new Map(extraArgs.filter(([, values]) => values.size > 0)),
    labels: merged(documents, ["machine", "nodeLabels"]),
    sysctls: merged(documents, ["machine", "sysctls"]),
    hostEntries: documents.flatMap((document) =>
      hostEntries(valueAt(document, ["machine", "network", "extraHostEntries"])),
    ),
    schedulingOnControlPlanes: scheduling.length === 0 ? undefined : valueText(scheduling.at(-1)),
  };
}

const SCHEDULING = ["cluster", "allowSchedulingOnControlPlanes"] as const;

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

function merged(documents: readonly unknown[], path: readonly string[]): Map<string, string | undefined> {
  const values = new Map<string, string | undefined>();
  for (const document of documents) {
    const found = valueAt(document, path);
    if (isDeletion(found)) values.clear();
    else
      for (const [key, value] of Object.entries(isMappingValue(found) ? found : {}))
        values.set(key, text(value));
  }
  return values;
}

const text = (value: unknown): string | undefined => (isDeletion(value) ? undefined : valueText(value));

/** A config's value as people write it: arguments may be single values or lists. */
export function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Lists are appended to one another by the merge. */
export function hostEntries(value: unknown): HostEntry[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isMappingValue).map(({ ip, aliases }) => ({
    ip: valueText(ip ?? ""),
    aliases: Array.isArray(aliases) ? aliases.map(valueText) : [],
  }));
}
