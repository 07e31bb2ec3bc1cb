import { show } from "../../base/show";
import { placeOf } from "../faulty";
import { encrypted } from "../raw";
import type { Fault } from "../../base/faults";
import { isLabelValue, isQualifiedName, nameForm } from "../../base/label-syntax";
import type { Rule } from "./input";

/** What a kubelet may say of its own node (Kubernetes, NodeRestriction admission). */
const kubeletLabels = [
  "kubernetes.io/hostname",
  "kubernetes.io/arch",
  "kubernetes.io/os",
  "beta.kubernetes.io/instance-type",
  "node.kubernetes.io/instance-type",
  "failure-domain.beta.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "topology.kubernetes.io/zone",
];
const kubeletPrefixes = /(^|\.)(kubelet|node)\.kubernetes\.io$/;

const labelsAreLabels: Rule = ({ draft }) =>
  draft.pools.flatMap((pool) =>
    labelFaults(pool.labels ?? {}).map(({ label, ...fault }) => ({
      key: `${pool.key}.labels.${label}`,
      value: pool.labels?.[label] ?? "",
      ...fault,
    })),
  );

/** What is no label of Kubernetes, by its name or by its value. */
export function labelFaults(
  labels: Readonly<Record<string, unknown>>,
): (Pick<Fault, "rule" | "repair"> & { readonly label: string })[] {
  return Object.entries(labels).flatMap(([label, value]) => {
    if (!isQualifiedName(label)) return [{ label, rule: "is not a label's name", repair: nameForm }];
    if (typeof value !== "string" || value === encrypted || isLabelValue(value)) return [];
    const rule = "a label's value has at most 63 letters, digits, dashes, dots and underscores";
    return [{ label, rule, repair: "shorten it, or use other characters" }];
  });
}

const labelsAreAllowed: Rule = ({ draft }) =>
  draft.pools.flatMap((pool) =>
    Object.entries(pool.labels ?? {})
      .filter(([label]) => isReserved(label))
      .map(([label, value]) => ({
        key: `${pool.key}.labels.${label}`,
        value: show(value),
        rule: "Kubernetes lets no worker give itself this label (NodeRestriction)",
        repair: "use a prefix of your own, such as example.net/",
      })),
  );

/** The kubelet registers them, and Kubernetes refuses a node with two of one key and effect. */
const taintsComeOnce: Rule = ({ draft }) =>
  draft.pools.flatMap((pool) =>
    (pool.taints ?? []).flatMap(({ key: taint, effect }, index): Fault[] => {
      const first = pool.taints?.findIndex((other) => other.key === taint && other.effect === effect);
      if (first === index) return [];
      const [here, there] = [index, first ?? 0].map((at) => placeOf(draft, `${pool.key}.taints`, at));
      const rule = `is in taints[${there}] with the same effect, and a node has one taint of a key and an effect`;
      return [{ key: `${pool.key}.taints[${here}].key`, value: taint, rule, repair: "keep one of them" }];
    }),
  );

/** Whether Kubernetes keeps a label from what kubelets may say of their own node. */
export function isReserved(label: string): boolean {
  const [domain = "", rest] = label.split("/");
  if (rest === undefined || !/(^|\.)(kubernetes|k8s)\.io$/.test(domain)) return false;
  return !kubeletLabels.includes(label) && !kubeletPrefixes.test(domain);
}

export const labelRules = { labelsAreLabels, labelsAreAllowed, taintsComeOnce };
