/** The patches that every platform shares. Pure: plain data in, strategic-merge patches out. */
import type { NodePlan, Patch, Taint } from "../config/types";

export interface CommonFacts {
  readonly installer: string;
  readonly nodeNetwork: string;
  readonly pods: string;
  readonly services: string;
}

const patch = (source: string, ...documents: Patch["documents"]): Patch => ({ source, documents });

/** For every node: our installer (the provider's default is another version) and the networks. */
export const commonPatch = (facts: CommonFacts): Patch =>
  patch("common", {
    machine: {
      install: { image: facts.installer },
      kubelet: { nodeIP: { validSubnets: [facts.nodeNetwork] } },
    },
    cluster: { network: { podSubnets: [facts.pods], serviceSubnets: [facts.services] } },
  });

/** For control planes: etcd speaks on the node network only. */
export const controlPlanePatch = (facts: CommonFacts): Patch =>
  patch("control planes", { cluster: { etcd: { advertisedSubnets: [facts.nodeNetwork] } } });

/** Without workers nothing could run CoreDNS. */
export const schedulingPatch = (hasWorkers: boolean): Patch[] =>
  hasWorkers ? [] : [patch("no workers", { cluster: { allowSchedulingOnControlPlanes: true } })];

/** What the pool says of its nodes: labels and taints. */
export function poolPatch(node: NodePlan): Patch[] {
  const labels = Object.keys(node.labels).length > 0 ? { nodeLabels: node.labels } : {};
  const machine = { ...labels, ...(node.taints.length > 0 ? taintKeys(node) : {}) };
  return Object.keys(machine).length > 0 ? [patch(`pool ${node.pool}`, { machine })] : [];
}

/**
 * A worker is tainted by its kubelet when it registers: Talos writes nodeTaints with that kubelet's rights, and
 * NodeRestriction then refuses the whole update, labels and all. Control planes write with an administrator's.
 */
function taintKeys({ role, taints }: NodePlan): Readonly<Record<string, unknown>> {
  if (role === "worker") return { kubelet: { extraConfig: { registerWithTaints: taints } } };
  return { nodeTaints: Object.fromEntries(taints.map((taint) => [taint.key, taintValue(taint)])) };
}

const taintValue = (taint: Taint): string => `${taint.value ?? ""}:${taint.effect}`;

/** The node's name is ours: a platform's metadata must not rename a node when it is late or missing. */
export const hostnamePatch = ({ name }: Pick<NodePlan, "name">): Patch =>
  patch("hostname", { apiVersion: "v1alpha1", kind: "HostnameConfig", auto: "off", hostname: name });

/** A control plane's certificates hold its own addresses, never those of the others. */
export const ownAddressesPatch = (addresses: readonly string[]): Patch =>
  patch("own addresses", {
    machine: { certSANs: addresses },
    cluster: { apiServer: { certSANs: addresses } },
  });
