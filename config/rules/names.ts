import { groupBy } from "../../base/group";
import { show } from "../../base/show";
import { clusterNameOf } from "../draft";
import type { Fault } from "../../base/faults";
import { controlPlanePool } from "../layout";
import type { Rule, RuleInput } from "./input";

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const longest = 63;

/** Host names, container names and Kubernetes node names are all made from these two. */
function labelFault(key: string, name: string, repairKey = ""): Fault[] {
  if (label.test(name)) return [];
  const rule = "must be an RFC 1123 label: lower-case letters, digits and dashes, with no dash at either end";
  const better = name
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, longest)
    .replace(/^-+|-+$/g, "");
  return [
    {
      key,
      value: show(name),
      rule,
      repair: better === "" ? "choose another name" : `write ${repairKey}${better}`,
    },
  ];
}

const clusterNameIsLabel: Rule = ({ draft, stack }) => {
  const name = clusterNameOf(draft, stack);
  if (name === undefined) return [];
  return draft.clusterName === undefined
    ? labelFault("clusterName (the stack's name)", name, "clusterName: ")
    : labelFault("clusterName", name);
};

const poolNameIsLabel: Rule = ({ draft }) =>
  draft.pools.flatMap(({ key, name }) => labelFault(`${key}.name`, name));

const poolNameIsFree: Rule = ({ draft }) => {
  const firsts = new Map<string, string>();
  return draft.pools.flatMap(({ key, name }): Fault[] => {
    if (name === controlPlanePool) {
      const rule = "is the name of the control planes' own pool";
      return [{ key: `${key}.name`, value: name, rule, repair: "choose another name" }];
    }
    const first = firsts.get(name);
    if (first === undefined) {
      firsts.set(name, key);
      return [];
    }
    const repair = "give each pool its own name, or raise the count of the first";
    return [{ key: `${key}.name`, value: show(name), rule: `is the name of ${first} too`, repair }];
  });
};

/** Kubernetes and the kernel take 63 characters, and the number grows with the pool. */
const nodeNameFits: Rule = (input) => {
  const perPool = groupBy(input.layout, ({ key }) => key);
  return [...perPool].flatMap(([key, nodes]) => {
    const name = nodes.at(-1)?.name ?? "";
    if (name.length <= longest) return [];
    const rule = `makes the node name ${show(name)} of ${name.length} characters, and names have at most ${longest}`;
    return [
      {
        key: nameKeys(input, key),
        value: show(valueOf(input, key)),
        rule,
        repair: `shorten it by ${name.length - longest}`,
      },
    ];
  });
};

function nameKeys({ draft }: RuleInput, key: string): string {
  const cluster = draft.clusterName === undefined ? "the stack's name" : "clusterName";
  return key === "controlPlanes" ? cluster : `${cluster} and ${key}.name`;
}

function valueOf({ draft, stack }: RuleInput, key: string): string {
  const pool = draft.pools.find((candidate) => candidate.key === key);
  const cluster = clusterNameOf(draft, stack) ?? stack;
  return pool === undefined ? cluster : `${cluster} and ${pool.name}`;
}

export const nameRules = { clusterNameIsLabel, poolNameIsLabel, poolNameIsFree, nodeNameFits };
