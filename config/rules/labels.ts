import { show } from "../draft";
import type { Fault } from "../errors";
import type { Rule } from "./input";

const name = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const prefix = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

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
      if (!isQualifiedName(label))
        return [{ key, value, rule: "is not a label's name", repair: "write NAME or example.net/NAME" }];
      if (value === "" || name.test(value)) return [];
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

const taintsAreTaints: Rule = ({ draft }) =>
  draft.pools.flatMap((pool) =>
    (pool.taints ?? []).flatMap(({ key: taint, value = "" }, index): Fault[] => {
      const key = `${pool.key}.taints[${index}]`;
      if (!isQualifiedName(taint)) {
        return [
          {
            key: `${key}.key`,
            value: taint,
            rule: "is not a taint's name",
            repair: "write NAME or example.net/NAME",
          },
        ];
      }
      if (value !== "" && !name.test(value)) {
        const rule = "a taint's value has at most 63 letters, digits, dashes, dots and underscores";
        return [{ key: `${key}.value`, value, rule, repair: "shorten it, or use other characters" }];
      }
      const first = pool.taints?.findIndex((other) => other.key === taint);
      if (first === index) return [];
      const rule = `is the key of taints[${first ?? 0}] too, and Talos keeps one taint a key`;
      return [{ key: `${key}.key`, value: taint, rule, repair: "keep one of them" }];
    }),
  );

function isQualifiedName(text: string): boolean {
  const parts = text.split("/");
  const [first = "", second] = parts;
  if (parts.length > 2) return false;
  return second === undefined ? name.test(first) : prefix.test(first) && name.test(second);
}

function isReserved(label: string): boolean {
  const [domain = "", rest] = label.split("/");
  if (rest === undefined || !/(^|\.)(kubernetes|k8s)\.io$/.test(domain)) return false;
  return !kubeletLabels.includes(label) && !kubeletPrefixes.test(domain);
}

export const labelRules = { labelsAreLabels, labelsAreAllowed, taintsAreTaints };
