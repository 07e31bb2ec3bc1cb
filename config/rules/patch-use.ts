import { show } from "../../base/show";
import { encrypted } from "../raw";
import { nodesAreKnown } from "../faulty";
import type { Fault } from "../../base/faults";
import { groupBy } from "../../base/group";
import { distance, nearest } from "../../base/nearest";
import type { LoadedPatch } from "../patches";
import { patchesOf } from "../plan";
import { listsIn, valueAt } from "../../base/paths";
import type { Rule } from "./input";
import { interfacesOf } from "./patch-interfaces";

const patchedNodesExist: Rule = ({ draft, layout }) => {
  if (!nodesAreKnown(draft)) return [];
  const names = layout.map(({ name }) => name);
  return Object.keys(draft.patches?.nodes ?? {})
    .filter((name) => !names.includes(name))
    .map((name) => ({
      key: `patches.nodes.${name}`,
      value: name,
      rule: "is not the name of a node",
      repair: suggestion(name, names),
    }));
};

function suggestion(written: string, names: readonly string[]): string {
  const near = nearest(written, names);
  if (near !== undefined && distance(written, near) <= near.length / 3) return `did you mean ${near}?`;
  const shown = names.length > 6 ? [...names.slice(0, 3), "...", ...names.slice(-2)] : names;
  return `the nodes are ${shown.join(", ")}`;
}

/** Lists that a merge replaces, or merges by a key of their items. */
const notAppended = ["cluster.network.podSubnets", "cluster.network.serviceSubnets"];

const patchesComeOnce: Rule = ({ layout, patches }) => {
  const named = new Set(patches.map(({ scope }) => (scope.kind === "node" ? scope.node : undefined)));
  const chains = [...groupBy(layout, ({ key, name }) => (named.has(name) ? name : key)).values()];
  const texts = new Map(patches.map((patch) => [patch, JSON.stringify(patch.documents)]));
  const faults = chains.flatMap(([node]) =>
    node === undefined ? [] : repeats(patchesOf(node, patches), (patch) => texts.get(patch) ?? ""),
  );
  return [...new Map(faults.map((fault) => [`${fault.key} ${fault.rule}`, fault])).values()];
};

function repeats(chain: readonly LoadedPatch[], textOf: (patch: LoadedPatch) => string): Fault[] {
  const firsts = new Map<string, LoadedPatch>();
  return chain.flatMap((patch) => {
    const first = firsts.get(textOf(patch));
    if (first === undefined) firsts.set(textOf(patch), patch);
    const lists = patch.documents
      .flatMap((document) => listsIn(document))
      .filter((path) => !notAppended.includes(path));
    if (first === undefined || lists.length === 0) return [];
    const rule = `reaches the same nodes as ${first.source} and says the same, and lists are appended: ${lists.join(", ")} would be there twice`;
    return [{ key: patch.key, value: patch.file ?? "(an object)", rule, repair: "list it once" }];
  });
}

const interfacesComeOnce: Rule = ({ patches }) =>
  patches.flatMap(({ source, documents }) =>
    documents.flatMap((document) => {
      const names = interfacesOf(document).map((item) => item["interface"]);
      const twice = [
        ...new Set(
          names.filter(
            (name, index) => name !== undefined && name !== encrypted && names.indexOf(name) !== index,
          ),
        ),
      ];
      return twice.map((name): Fault => ({
        key: source,
        value: `machine.network.interfaces ${show(name)}`,
        rule: "has two entries for one interface",
        repair: "join them",
      }));
    }),
  );

const outdated: readonly { readonly path: string; readonly rule: string; readonly repair: string }[] = [
  {
    path: "machine.install.extraKernelArgs",
    rule: "has no effect: kernel arguments are part of the boot image",
    repair: "put them into the schematic, customization.extraKernelArgs",
  },
  {
    path: "machine.install.extensions",
    rule: "has no effect: extensions are part of the boot image",
    repair: "put them into the schematic, customization.systemExtensions",
  },
  { path: "machine.install.bootloader", rule: "has no effect any more", repair: "remove it" },
  {
    path: "cluster.allowSchedulingOnMasters",
    rule: "was renamed",
    repair: "write cluster.allowSchedulingOnControlPlanes",
  },
];

const keysAreCurrent: Rule = ({ patches }) =>
  patches.flatMap(({ source, documents }) =>
    documents.flatMap((document) => [
      ...outdated
        .filter(({ path }) => valueAt(document, path) !== undefined)
        .map(({ path, rule, repair }): Fault => ({ key: source, value: path, rule, repair })),
      ...interfacesOf(document).flatMap((item, index): Fault[] => {
        const path = `machine.network.interfaces[${index}].cidr`;
        return item["cidr"] === undefined
          ? []
          : [{ key: source, value: path, rule: "was replaced", repair: "write addresses: [...]" }];
      }),
    ]),
  );

export const patchUseRules = {
  patchedNodesExist,
  patchesComeOnce,
  interfacesComeOnce,
  keysAreCurrent,
};
