/** What the Talos API shows of each node. Pure. */
import type { ClusterPlan, NodePlan, Role } from "../../config/types";
import { runsOtherServices } from "../platforms/select";
import type { Look } from "../lib/look";
import { type Check, judged, listed, same } from "./check";
import { parseServiceTable, parseVersions, type ServiceState } from "./parse";

/** What talosctl printed, for all nodes at once. */
export interface TalosTexts {
  readonly members: Look<string>;
  readonly versions: Look<string>;
  readonly services: Look<string>;
  readonly etcdMembers: Look<string>;
}

export function versionChecks(plan: ClusterPlan, versions: Look<string>): readonly Check[] {
  const expected = plan.versions.talos;
  return judged(versions, { what: "Talos versions", expected }, (text) => {
    const tags = parseVersions(text);
    return plan.nodes.map((node) =>
      same(`${node.name} Talos version`, expected, tags.get(node.address) ?? "no answer"),
    );
  });
}

const ON_WORKERS = ["apid", "containerd", "cri", "kubelet", "machined"];

/** Seven on a control plane, five on a worker. */
export const servicesOf = (role: Role): string[] =>
  role === "controlplane" ? [...ON_WORKERS, "etcd", "trustd"].sort() : ON_WORKERS;

export function serviceChecks(plan: ClusterPlan, services: Look<string>): readonly Check[] {
  return judged(services, { what: "services", expected: "all running and healthy" }, (text) => {
    const seen = parseServiceTable(text);
    return plan.nodes.map((node) => {
      const all = seen.get(node.address) ?? [];
      const wanted = servicesOf(node.role);
      return serviceCheck(
        node,
        runsOtherServices(plan) ? all.filter(({ name }) => wanted.includes(name)) : all,
      );
    });
  });
}

function serviceCheck(node: NodePlan, looked: readonly ServiceState[]): Check {
  const wanted = servicesOf(node.role);
  const healthy = looked.filter(({ state, health }) => state === "Running" && health === "OK");
  const sick = looked.filter((service) => !healthy.includes(service));
  const words = sick.map(({ name, state, health }) => `${name} ${state}, health ${health}`);
  const seen = [`${healthy.length} healthy (${listed(healthy.map(({ name }) => name))})`, ...words].join(
    "; ",
  );
  return same(`${node.name} services`, `${wanted.length} healthy (${listed(wanted)})`, seen);
}
