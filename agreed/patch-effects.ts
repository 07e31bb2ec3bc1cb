/** What the operator's patches change of the things that others rely on: one reading for rules, waits, preflight and verify. */
import { deletedAbove, isMappingValue, valueAt } from "../base/paths";
import type { Patch, Role } from "./types";

/** What is in force on a node once its patches are merged: the last patch that says something wins. */
export interface PatchEffects {
  /** `cluster.network.cni.name`: `flannel` unless a patch names another; with `none` nobody installs one. */
  readonly cni: string;
  readonly coreDns: boolean;
  /** The discovery service, through which nodes find each other. */
  readonly discovery: boolean;
  readonly kubeProxy: boolean;
}

interface PatchedNode {
  readonly role: Role;
  /** In merge order. */
  readonly patches: readonly Patch[];
}

/** Of one node's patches, in merge order. */
export function patchEffects(patches: readonly Patch[]): PatchEffects {
  const cni = lastSaid(patches, "cluster.network.cni.name");
  return {
    cni: typeof cni === "string" ? cni : "flannel",
    coreDns: lastSaid(patches, "cluster.coreDNS.disabled") !== true,
    discovery: lastSaid(patches, "cluster.discovery.enabled") !== false,
    kubeProxy: lastSaid(patches, "cluster.proxy.disabled") !== true,
  };
}

/** The cluster's own workloads come from the control planes' configs: the first one stands for all. */
export function clusterEffects(nodes: readonly PatchedNode[]): PatchEffects {
  const first = nodes.find(({ role }) => role === "controlplane");
  return patchEffects(first?.patches ?? []);
}

/** Whether every node takes part in discovery: one that does not is not seen by the others. */
export const allDiscover = (nodes: readonly PatchedNode[]): boolean =>
  nodes.every(({ patches }) => patchEffects(patches).discovery);

/** What a cluster can be waited for. */
export interface Expectations {
  /** False without a CNI: nodes stay NotReady until somebody installs one. */
  readonly nodesReady: boolean;
  readonly coreDns: boolean;
}

export function expectations(nodes: readonly PatchedNode[]): Expectations {
  const { cni, coreDns } = clusterEffects(nodes);
  const nodesReady = cni !== "none";
  return { nodesReady, coreDns: nodesReady && coreDns };
}

/** The value that a merge leaves at a path of the machine config; undefined where the default stays or was brought back. */
function lastSaid(patches: readonly Patch[], path: string): unknown {
  const documents = patches.flatMap((patch) => patch.documents).filter(({ kind }) => kind === undefined);
  return documents.reduce<unknown>((before, document) => {
    if (deletedAbove(document, path) !== undefined) return undefined;
    const said = valueAt(document, path);
    return said === undefined || isMappingValue(said) ? before : said;
  }, undefined);
}
