/** What the Talos API shows of each node. Pure. */
import { allDiscover } from "../../agreed/patch-effects";
import type { ClusterPlan, NodePlan, Role } from "../../config/types";
import { parseMembers } from "../waits/etcd";
import { type Check, judged, listed, type Look, same } from "./check";
import { parseKnownMembers, parseServiceTable, parseVersions, type ServiceState } from "./parse";

/** What talosctl printed, for all nodes at once. */
export interface TalosTexts {
  readonly members: Look<string>;
  readonly versions: Look<string>;
  readonly services: Look<string>;
  readonly etcdMembers: Look<string>;
}

export const talosChecks = (plan: ClusterPlan, texts: TalosTexts): Check[] => [
  ...memberChecks(plan, texts.members),
  ...versionChecks(plan, texts.versions),
  ...serviceChecks(plan, texts.services),
  ...etcdChecks(plan, texts.etcdMembers),
];

const namesOf = (nodes: readonly NodePlan[]): string[] => nodes.map(({ name }) => name);

function memberChecks(plan: ClusterPlan, members: Look<string>): readonly Check[] {
  if (!allDiscover(plan.nodes)) return [];
  const expected = listed(namesOf(plan.nodes));
  return judged(members, { what: "members", expected }, (text) => {
    const known = parseKnownMembers(text);
    return plan.nodes.map((node) =>
      same(`${node.name} members`, expected, listed(known.get(node.address) ?? [])),
    );
  });
}

function versionChecks(plan: ClusterPlan, versions: Look<string>): readonly Check[] {
  const expected = plan.versions.talos;
  return judged(versions, { what: "Talos versions", expected }, (text) => {
    const tags = parseVersions(text);
    return plan.nodes.map((node) =>
      same(`${node.name} Talos version`, expected, tags.get(node.address) ?? "no answer"),
    );
  });
}

const ON_WORKERS = ["apid", "containerd", "cri", "kubelet", "machined"];

/** Seven on a control plane, five on a worker. Servers run more (udevd, syslogd, extensions), containers do not. */
export const servicesOf = (role: Role): string[] =>
  role === "controlplane" ? [...ON_WORKERS, "etcd", "trustd"].sort() : ON_WORKERS;

function serviceChecks(plan: ClusterPlan, services: Look<string>): readonly Check[] {
  return judged(services, { what: "services", expected: "all running and healthy" }, (text) => {
    const seen = parseServiceTable(text);
    return plan.nodes.map((node) => serviceCheck(node, seen.get(node.address) ?? [], plan.platform));
  });
}

function serviceCheck(
  node: NodePlan,
  services: readonly ServiceState[],
  platform: ClusterPlan["platform"],
): Check {
  const wanted = servicesOf(node.role);
  const looked = platform === "docker" ? services : services.filter(({ name }) => wanted.includes(name));
  const healthy = looked.filter(({ state, health }) => state === "Running" && health === "OK");
  const sick = looked.filter((service) => !healthy.includes(service));
  const words = sick.map(({ name, state, health }) => `${name} ${state}, health ${health}`);
  const seen = [`${healthy.length} healthy (${listed(healthy.map(({ name }) => name))})`, ...words].join(
    "; ",
  );
  return same(`${node.name} services`, `${wanted.length} healthy (${listed(wanted)})`, seen);
}

function etcdChecks(plan: ClusterPlan, etcdMembers: Look<string>): readonly Check[] {
  const expected = listed(namesOf(plan.nodes.filter(({ role }) => role === "controlplane")));
  return judged(etcdMembers, { what: "etcd members", expected }, (text) => {
    const names = parseMembers(text).map(({ hostname, learner }) =>
      learner ? `${hostname}(learner)` : hostname,
    );
    return [same("etcd members", expected, listed(names))];
  });
}
