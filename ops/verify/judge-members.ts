/** Whether the nodes know each other: by the discovery service, or by etcd and Kubernetes where that is off or out of reach. Pure. */
import { allDiscover } from "../../agreed/patch-effects";
import type { ClusterPlan, NodePlan } from "../../config/types";
import { parseMembers } from "../waits/etcd";
import type { Look } from "../lib/look";
import { type Check, firstLine, judged, listed, passIf, same } from "./check";
import type { LiveNode } from "./judge-kubernetes";
import { parseKnownMembers } from "./parse";

export interface SeenMembers {
  /** `talosctl get members` of all nodes. */
  readonly members: Look<string>;
  /** `talosctl etcd members` of the first control plane. */
  readonly etcdMembers: Look<string>;
  readonly kubernetes: Look<readonly Pick<LiveNode, "name">[]>;
}

const namesOf = (nodes: readonly NodePlan[]): string[] => nodes.map(({ name }) => name);
const controlPlanes = ({ nodes }: Pick<ClusterPlan, "nodes">): NodePlan[] =>
  nodes.filter(({ role }) => role === "controlplane");

export function memberChecks(plan: ClusterPlan, seen: SeenMembers): readonly Check[] {
  if (!allDiscover(plan.nodes)) return [fromOthers(plan, seen, "a patch switches the discovery service off")];
  const expected = listed(namesOf(plan.nodes));
  return judged(seen.members, { what: "members", expected }, (text) => {
    const known = parseKnownMembers(text);
    if (eachAlone(plan.nodes, known)) {
      return [fromOthers(plan, seen, "the discovery service was not reached, each node sees itself only")];
    }
    return plan.nodes.map((node) =>
      same(`${node.name} members`, expected, listed(known.get(node.address) ?? [])),
    );
  });
}

/** One node alone could not know of others: there is nothing to tell. */
const eachAlone = (nodes: readonly NodePlan[], known: ReadonlyMap<string, readonly string[]>): boolean =>
  nodes.length > 1 &&
  nodes.every(({ address, name }) => (known.get(address) ?? []).every((other) => other === name));

function fromOthers(plan: ClusterPlan, { etcdMembers, kubernetes }: SeenMembers, why: string): Check {
  const expected = listed(namesOf(plan.nodes));
  const etcd = namesSeen(etcdMembers, (text) => parseMembers(text).map(({ hostname }) => hostname));
  const nodes = namesSeen(kubernetes, (live) => live.map(({ name }) => name));
  const whole = etcd === listed(namesOf(controlPlanes(plan))) && nodes === expected;
  return {
    what: `members (from etcd and Kubernetes: ${why})`,
    expected,
    seen: whole ? expected : `etcd: ${etcd}; Kubernetes: ${nodes}`,
    result: passIf(whole),
  };
}

const namesSeen = <T>(seen: Look<T>, names: (found: T) => readonly string[]): string =>
  "fault" in seen ? firstLine(seen.fault) : listed(names(seen.found));

export function etcdChecks(plan: ClusterPlan, etcdMembers: Look<string>): readonly Check[] {
  const expected = listed(namesOf(controlPlanes(plan)));
  return judged(etcdMembers, { what: "etcd members", expected }, (text) => {
    const names = parseMembers(text).map(({ hostname, learner }) =>
      learner ? `${hostname}(learner)` : hostname,
    );
    return [same("etcd members", expected, listed(names))];
  });
}
