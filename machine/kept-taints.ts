/** What a change of taints does not reach: Kubernetes keeps those with which a node's kubelet registered. Pure. */
import { groupBy } from "../base/group";
import { isMappingValue, type Mapping, valueAt } from "../base/paths";
import type { NodePlan, Taint } from "../config/types";

type Tainted = Pick<NodePlan, "name" | "pool" | "taints">;

/** A node that keeps its old taints. */
export interface Kept {
  readonly node: string;
  readonly pool: string;
  /** Of its pool, as `kubectl taint` takes them. What patches say may be secret. */
  readonly added: readonly string[];
}

/** Nothing where the kubelet of a node that is there already would register with the same taints. */
export function keptTaints(node: Tainted, before: readonly Mapping[], after: readonly Mapping[]): Kept[] {
  const [old, coming] = [registered(before), registered(after)];
  if (old.size === coming.size && [...coming].every((taint) => old.has(taint))) return [];
  const added = node.taints.map(taintText).filter((text) => coming.has(text) && !old.has(text));
  return [{ node: node.name, pool: node.pool, added }];
}

/** One text for all nodes of a pool that keep the same. */
export function keptTaintsTexts(kept: readonly Kept[]): string[] {
  const groups = groupBy(kept, ({ pool, added }) => [pool, ...added].join(" "));
  return [...groups.values()].map((nodes) => {
    const [names, added] = [nodes.map(({ node }) => node), nodes[0]?.added ?? []];
    const rule = `${names.join(", ")} registered with other taints, and Kubernetes takes no others from a kubelet later: only new nodes get these`;
    const call = ["kubectl taint nodes --overwrite", ...names, ...added].join(" ");
    const repair =
      added.length > 0
        ? `"${call}" adds them now; KEY:EFFECT- in such a call takes away what is gone`
        : `"${call} KEY:EFFECT-" takes away what is gone`;
    return `taints: pool ${nodes[0]?.pool ?? ""}: ${rule}; ${repair}`;
  });
}

function registered(documents: readonly Mapping[]): ReadonlySet<string> {
  const config = documents.find((document) => document["kind"] === undefined);
  const taints = valueAt(config, "machine.kubelet.extraConfig.registerWithTaints");
  return new Set(Array.isArray(taints) ? taints.filter(isMappingValue).map(taintText) : []);
}

/** `dedicated=build:NoSchedule`, `spot:NoExecute`. */
function taintText({ key, value, effect }: Taint | Mapping): string {
  const [name, given, does] = [key, value ?? "", effect].map((part) =>
    typeof part === "string" ? part : JSON.stringify(part),
  );
  return `${name}${given === "" ? "" : `=${given}`}:${does}`;
}
