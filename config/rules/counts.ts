import { isFaulty, nodesAreKnown } from "../faulty";
import { patchesOf } from "../plan";
import { valueAt } from "../../base/paths";
import type { Rule } from "./input";

const scheduling = "cluster.allowSchedulingOnControlPlanes";

const controlPlanesAreOdd: Rule = ({ draft }) => {
  const count = draft.controlPlanes?.count;
  if (count === undefined || count % 2 === 1) return [];
  const rule =
    "the number of control planes must be odd: an even one survives no more failures than one less";
  return [
    { key: "controlPlanes.count", value: String(count), rule, repair: `set ${count - 1} or ${count + 1}` },
  ];
};

/** Without workers the program opens the control planes to pods, unless a patch closes them again. */
const podsHaveANode: Rule = ({ draft, layout, patches }) => {
  const [node] = layout;
  if (!nodesAreKnown(draft) || isFaulty(draft, "patches") || draft.poolCount > 0 || node === undefined)
    return [];
  const closing = patchesOf(node, patches)
    .flatMap(({ source, documents }) =>
      documents.map((document) => ({ source, value: valueAt(document, scheduling) })),
    )
    .findLast(({ value }) => value !== undefined);
  if (closing?.value !== false) return [];
  const rule = `without workers ${closing.source} leaves no node for pods, so that CoreDNS never starts`;
  return [
    {
      key: `workers and ${scheduling}`,
      value: "(none) and false",
      rule,
      repair: "list a pool, or take the key out of the patch",
    },
  ];
};

export const countRules = { controlPlanesAreOdd, podsHaveANode };
