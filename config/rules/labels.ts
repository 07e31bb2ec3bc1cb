import { show } from "../../base/show";
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
    Object.entries(pool.labels ?? {}).flatMap(([label, value]): Fault[] => {
      const key = `${pool.key}.labels.${label}`;
      if (!isQualifiedName(label)) return [{ key, value, rule: "is not a label's name", repair: nameForm }];
      if (isLabelValue(value)) return [];
      const rule = "a label's value has at most 63 letters, digits, dashes, dots and underscores";
      return [{ key, value, rule, repair: "shorten it, or use other characters" }];
    }),
  );

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

const taintsComeOnce: Rule = ({ draft }) =>
  draft.pools.flatMap((pool) =>
    (pool.taints ?? []).flatMap(({ key: taint }, index): Fault[] => {
      const first = pool.taints?.findIndex((other) => other.key === taint);
      if (first === index) return [];
      const rule = `is the key of taints[${first ?? 0}] too, and Talos keeps one taint a key`;
      return [{ key: `${pool.key}.taints[${index}].key`, value: taint, rule, repair: "keep one of them" }];
    }),
  );

function isReserved(label: string): boolean {
  const [domain = "", rest] = label.split("/");
  if (rest === undefined || !/(^|\.)(kubernetes|k8s)\.io$/.test(domain)) return false;
  return !kubeletLabels.includes(label) && !kubeletPrefixes.test(domain);
}

export const labelRules = { labelsAreLabels, labelsAreAllowed, taintsComeOnce };
