/** What suits one role only: what Talos or Kubernetes refuse on a worker, and what has no effect there. */
import type { Fault } from "../../base/faults";
import { isMappingValue, valueAt, withoutDeletions } from "../../base/paths";
import type { Mapping } from "../../base/paths";
import type { LoadedPatch } from "../patches";
import type { Rule, RuleInput } from "./input";
import { isReserved, labelFaults } from "./labels";
import { vipsOf } from "./patch-interfaces";

/** Keys that only control planes read. In `patches.all` they are in order: workers carry them without effect. */
const controlPlaneKeys = [
  "cluster.apiServer",
  "cluster.controllerManager",
  "cluster.scheduler",
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

/** Shared addresses are held with etcd's help, which a worker has not. */
const controlPlaneKinds = ["Layer2VIPConfig"];

const move = "move it to patches.controlPlanes";

const keysSuitTheRole: Rule = (input) =>
  input.patches
    .filter((patch) => reachesWorkersOnly(patch, input))
    .flatMap(({ source, documents }) =>
      documents.flatMap((document) =>
        readByControlPlanes(document).map((value): Fault => {
          const rule = "is read by control planes only and has no effect on a worker";
          return { key: source, value, rule, repair: move };
        }),
      ),
    );

function readByControlPlanes(document: Mapping): string[] {
  const { kind } = document;
  if (typeof kind === "string") return controlPlaneKinds.includes(kind) ? [`kind ${kind}`] : [];
  const refused = refusedOnWorkers(withoutDeletions(document));
  return controlPlaneKeys.filter((path) => valueAt(document, path) !== undefined && !refused.includes(path));
}

/** Talos' validation of a worker's config (v1.13.9); the machine's and the cluster's keys are owned anyway. */
const workersTakeTheConfig: Rule = (input) =>
  input.patches
    .filter((patch) => reachesWorkers(patch, input))
    .flatMap(({ source, documents }) =>
      documents
        .filter(({ kind }) => kind === undefined)
        .flatMap((document) => refusedOnWorkers(withoutDeletions(document)))
        .map((value) => ({ key: source, value, rule: "Talos refuses it on a worker", repair: move })),
    );

function refusedOnWorkers(document: unknown): string[] {
  const etcd = valueAt(document, "cluster.etcd");
  const access = "machine.features.kubernetesTalosAPIAccess";
  return [
    ...(etcd === undefined || etcd === null ? [] : ["cluster.etcd"]),
    ...(valueAt(document, `${access}.enabled`) === true ? [access] : []),
    ...vipsOf(document).map(({ path }) => path),
  ];
}

/** Workers write their Node with the kubelet's rights: a refused taint or label takes the whole update with it. */
const workersMayWriteTheirNode: Rule = (input) =>
  input.patches
    .filter((patch) => reachesWorkers(patch, input))
    .flatMap(({ source, documents }) =>
      documents.map(withoutDeletions).flatMap((document) => [
        ...taintFaults(source, document),
        ...Object.keys(mappingAt(document, "machine.nodeLabels"))
          .filter(isReserved)
          .map((label): Fault => ({
            key: source,
            value: `machine.nodeLabels.${label}`,
            rule: "Kubernetes lets no worker give itself this label (NodeRestriction)",
            repair: "use a prefix of your own, such as example.net/, or move it to patches.controlPlanes",
          })),
      ]),
    );

function taintFaults(source: string, document: unknown): Fault[] {
  if (Object.keys(mappingAt(document, "machine.nodeTaints")).length === 0) return [];
  const rule =
    "Kubernetes lets no worker change its own taints (NodeRestriction), and refuses its labels with them";
  const repair =
    "give the pool `taints` or set machine.kubelet.extraConfig.registerWithTaints, and for control planes move it to patches.controlPlanes";
  return [{ key: source, value: "machine.nodeTaints", rule, repair }];
}

const patchedLabelsAreLabels: Rule = ({ patches }) =>
  patches.flatMap(({ source, documents }) =>
    documents
      .map(withoutDeletions)
      .flatMap((document) => labelFaults(mappingAt(document, "machine.nodeLabels")))
      .map(({ label, ...fault }) => ({ key: source, value: `machine.nodeLabels.${label}`, ...fault })),
  );

function mappingAt(document: unknown, path: string): Mapping {
  const value = valueAt(document, path);
  return isMappingValue(value) ? value : {};
}

function reachesWorkersOnly({ scope }: LoadedPatch, { layout }: RuleInput): boolean {
  if (scope.kind === "node") return layout.some(({ name, role }) => name === scope.node && role === "worker");
  return scope.kind === "workers" || scope.kind === "pool";
}

function reachesWorkers(patch: LoadedPatch, input: RuleInput): boolean {
  const everybody = patch.scope.kind === "all" && input.layout.some(({ role }) => role === "worker");
  return everybody || reachesWorkersOnly(patch, input);
}

export const patchRoleRules = {
  keysSuitTheRole,
  workersTakeTheConfig,
  workersMayWriteTheirNode,
  patchedLabelsAreLabels,
};
