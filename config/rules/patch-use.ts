import { show } from "../../base/show";
import { isFaulty } from "../faulty";
import type { Fault } from "../../base/faults";
import { groupBy } from "../../base/group";
import { nearest } from "../../base/nearest";
import type { LoadedPatch } from "../patches";
import { patchesOf } from "../plan";
import { isMappingValue, listsIn, valueAt } from "../../base/paths";
import type { Mapping } from "../../base/paths";
import type { Rule, RuleInput } from "./input";

/** Keys that only control planes read. In `patches.all` they are in order: workers carry them without effect. */
const controlPlaneKeys = [
  "cluster.apiServer",
  "cluster.controllerManager",
  "cluster.scheduler",
  "cluster.etcd",
  "cluster.proxy",
  "cluster.coreDNS",
  "cluster.adminKubeconfig",
  "cluster.allowSchedulingOnControlPlanes",
  "cluster.externalCloudProvider.manifests",
  "cluster.extraManifests",
  "cluster.extraManifestHeaders",
  "cluster.inlineManifests",
  "cluster.network.cni",
  "machine.controlPlane",
  "machine.features.kubernetesTalosAPIAccess",
];

const keysSuitTheRole: Rule = (input) =>
  input.patches
    .filter((patch) => reachesWorkersOnly(patch, input))
    .flatMap(({ source, documents }) =>
      documents.flatMap((document) =>
        controlPlaneKeys
          .filter((path) => valueAt(document, path) !== undefined)
          .map((path): Fault => ({
            key: source,
            value: path,
            rule: "is read by control planes only and has no effect on a worker",
            repair: "move it to patches.controlPlanes",
          })),
      ),
    );

function reachesWorkersOnly({ scope }: LoadedPatch, { layout }: RuleInput): boolean {
  if (scope.kind === "node") return layout.some(({ name, role }) => name === scope.node && role === "worker");
  return scope.kind === "workers" || scope.kind === "pool";
}

const patchedNodesExist: Rule = ({ draft, layout }) => {
  if (["clusterName", "controlPlanes", "workers", "patches.nodes"].some((key) => isFaulty(draft, key)))
    return [];
  const names = layout.map(({ name }) => name);
  return Object.keys(draft.patches?.nodes ?? {})
    .filter((name) => !names.includes(name))
    .map((name) => ({
      key: `patches.nodes.${name}`,
      value: name,
      rule: "is not the name of a node",
      repair: `did you mean ${nearest(name, names) ?? "another one"}?`,
    }));
};

/** Lists that a merge replaces, or merges by a key of their items. */
const notAppended = ["cluster.network.podSubnets", "cluster.network.serviceSubnets"];

const patchesComeOnce: Rule = ({ layout, patches }) => {
  const chains = [...groupBy(layout, ({ key, name }) => (isNamed(name, patches) ? name : key)).values()];
  const faults = chains.flatMap(([node]) => (node === undefined ? [] : repeats(patchesOf(node, patches))));
  return [...new Map(faults.map((fault) => [`${fault.key} ${fault.rule}`, fault])).values()];
};

function isNamed(name: string, patches: readonly LoadedPatch[]): boolean {
  return patches.some(({ scope }) => scope.kind === "node" && scope.node === name);
}

function repeats(chain: readonly LoadedPatch[]): Fault[] {
  return chain.flatMap((patch, index) => {
    const first = chain.slice(0, index).find((other) => isSame(other, patch));
    const lists = patch.documents
      .flatMap((document) => listsIn(document))
      .filter((path) => !notAppended.includes(path));
    if (first === undefined || lists.length === 0) return [];
    const rule = `reaches the same nodes as ${first.source} and says the same, and lists are appended: ${lists.join(", ")} would be there twice`;
    return [{ key: patch.key, value: patch.file ?? "(an object)", rule, repair: "list it once" }];
  });
}

function isSame(left: LoadedPatch, right: LoadedPatch): boolean {
  return JSON.stringify(left.documents) === JSON.stringify(right.documents);
}

const interfacesComeOnce: Rule = ({ patches }) =>
  patches.flatMap(({ source, documents }) =>
    documents.flatMap((document) => {
      const names = interfacesOf(document).map((item) => item["interface"]);
      const twice = [
        ...new Set(names.filter((name, index) => name !== undefined && names.indexOf(name) !== index)),
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

function interfacesOf(document: Mapping): readonly Mapping[] {
  const value = valueAt(document, "machine.network.interfaces");
  return Array.isArray(value) ? value.filter(isMappingValue) : [];
}

export const patchUseRules = {
  keysSuitTheRole,
  patchedNodesExist,
  patchesComeOnce,
  interfacesComeOnce,
  keysAreCurrent,
};
