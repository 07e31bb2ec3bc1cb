/** `$patch: delete` of what a node's config does not hold by then: Talos refuses the whole config ("lookup failed"). */
import type { Fault } from "../../base/faults";
import { groupBy } from "../../base/group";
import type { LayoutNode } from "../layout";
import type { LoadedPatch } from "../patches";
import { patchesOf } from "../plan";
import { baseConfig } from "./base-config";
import type { Rule, RuleInput } from "./input";
import { missingIn } from "./merge";
import { isOwnedDeletion } from "./patch-owned";

interface Missing {
  readonly patch: LoadedPatch;
  /** `machine.sysctls.a`; of another document `LinkConfig eth1: mtu`. */
  readonly path: string;
  readonly insideAnItem: boolean;
}

const deletionsFindSomething: Rule = (input) => {
  if (!input.patches.some(({ documents }) => JSON.stringify(documents).includes('"$patch"'))) return [];
  const chains = chainsOf(input);
  const found = chains.flatMap((node) => missingOn(node, input).map((missing) => ({ ...missing, node })));
  const place = new Map(input.patches.map((patch, index) => [patch, index]));
  const inOrder = found.sort((one, other) => (place.get(one.patch) ?? 0) - (place.get(other.patch) ?? 0));
  const groups = groupBy(inOrder, ({ patch, path }) => `${patch.key} ${path}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined
      ? []
      : [faultOf(first, { lacking: group.map(({ node }) => node), chains, input })];
  });
};

/** One node of every sort: those of a pool are alike, unless a patch names one. */
function chainsOf({ layout, patches }: RuleInput): LayoutNode[] {
  const named = new Set(patches.map(({ scope }) => (scope.kind === "node" ? scope.node : undefined)));
  const groups = groupBy(layout, ({ key, name }) => (named.has(name) ? name : key));
  return [...groups.values()].flatMap(([node]) => (node === undefined ? [] : [node]));
}

function missingOn(node: LayoutNode, { draft, patches }: RuleInput): Missing[] {
  const config = baseConfig(node, draft);
  return patchesOf(node, patches).flatMap((patch) =>
    patch.documents.flatMap((document) =>
      missingIn(config, document)
        .filter(({ keys }) => !isOwnedDeletion(document, keys, draft.platform))
        .map(({ path, insideAnItem }) => ({ patch, path, insideAnItem })),
    ),
  );
}

interface Place {
  readonly lacking: readonly LayoutNode[];
  readonly chains: readonly LayoutNode[];
  readonly input: RuleInput;
}

function faultOf({ patch, path, insideAnItem }: Missing, place: Place): Fault {
  const value = `$patch: delete of ${path}`;
  if (insideAnItem) {
    const rule = "Talos takes whole items out of a list, never a key inside one";
    return { key: patch.source, value, rule, repair: "write `$patch: delete` beside the item's first key" };
  }
  const { lacking, chains, input } = place;
  const reached = chains.filter((node) => patchesOf(node, input.patches).includes(patch));
  const having = reached.filter((node) => !lacking.includes(node));
  const names = lacking.map(({ name }) => name);
  const shown = names.length > 2 ? `${names.slice(0, 2).join(", ")} and others` : names.join(" and ");
  const rule = `there is no such thing in the config of ${shown}, and Talos refuses to delete what is not there`;
  return { key: patch.source, value, rule, repair: repairFor(having) };
}

function repairFor(having: readonly LayoutNode[]): string {
  const roles = new Set(having.map(({ role }) => role));
  if (roles.size !== 1) return "remove it";
  return `list it under patches.${roles.has("worker") ? "workers" : "controlPlanes"}, whose nodes have it`;
}

export const patchDeleteRules = { deletionsFindSomething };
