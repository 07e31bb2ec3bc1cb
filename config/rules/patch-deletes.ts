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

/** A node and what is merged into its config, in order. */
interface Chain {
  readonly node: LayoutNode;
  readonly patches: ReadonlySet<LoadedPatch>;
}

const deletionsFindSomething: Rule = (input) => {
  if (!input.patches.some(({ documents }) => JSON.stringify(documents).includes('"$patch"'))) return [];
  // Asking each node for its patches again, a fault at a time, would be quadratic.
  const chains = chainsOf(input).map((node) => ({ node, patches: new Set(patchesOf(node, input.patches)) }));
  const found = chains.flatMap((chain) =>
    missingOn(chain, input).map((missing) => ({ ...missing, node: chain.node })),
  );
  const place = new Map(input.patches.map((patch, index) => [patch, index]));
  const inOrder = found.sort((one, other) => (place.get(one.patch) ?? 0) - (place.get(other.patch) ?? 0));
  const groups = groupBy(inOrder, ({ patch, path }) => `${patch.key} ${path}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [faultOf(first, { lacking: group.map(({ node }) => node), chains })];
  });
};

/** One node of every sort: those of a pool are alike, unless a patch names one. */
function chainsOf({ layout, patches }: RuleInput): LayoutNode[] {
  const named = new Set(patches.map(({ scope }) => (scope.kind === "node" ? scope.node : undefined)));
  const groups = groupBy(layout, ({ key, name }) => (named.has(name) ? name : key));
  return [...groups.values()].flatMap(([node]) => (node === undefined ? [] : [node]));
}

function missingOn({ node, patches }: Chain, { draft }: RuleInput): Missing[] {
  const config = baseConfig(node, draft);
  return [...patches].flatMap((patch) =>
    patch.documents.flatMap((document) =>
      missingIn(config, document)
        .filter(({ keys }) => !isOwnedDeletion(document, keys, draft.platform))
        .map(({ path, insideAnItem }) => ({ patch, path, insideAnItem })),
    ),
  );
}

interface Place {
  readonly lacking: readonly LayoutNode[];
  readonly chains: readonly Chain[];
}

function faultOf({ patch, path, insideAnItem }: Missing, place: Place): Fault {
  const value = `$patch: delete of ${path}`;
  if (insideAnItem) {
    const rule = "Talos takes whole items out of a list, never a key inside one";
    return { key: patch.source, value, rule, repair: "write `$patch: delete` beside the item's first key" };
  }
  const { lacking, chains } = place;
  const reached = chains.filter(({ patches }) => patches.has(patch)).map(({ node }) => node);
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
