/** Whether the lab's subnet and ports are free. Pure. */
import ipaddr from "ipaddr.js";
import type { EngineNetwork, LabFacts, LabNeeds, TakenPort } from "./facts";
import type { Finding } from "../../../preflight/finding";

export interface NetworkQuestion {
  readonly networks: readonly EngineNetwork[];
  readonly takenPorts: LabFacts["takenPorts"];
  readonly needs: LabNeeds;
}

export const networkFindings = (question: NetworkQuestion): Finding[] => [
  ...subnetFindings(question),
  ...question.takenPorts.map(portFinding),
];

function subnetFindings({ networks, needs }: NetworkQuestion): Finding[] {
  const others = networks.filter(({ name }) => name !== needs.clusterName);
  const clashes = others.filter(({ subnets }) => subnets.some((subnet) => overlap(subnet, needs.subnet)));
  const taken = others.flatMap(({ subnets }) => subnets);
  return clashes.map(({ name, subnets }) => ({
    level: "stop",
    what: "subnet",
    seen: `docker.subnet ${needs.subnet} overlaps network ${name} (${subnets.join(", ")})`,
    why: "the engine refuses a second network there (Pool overlaps with other one on this address space)",
    cure: `set docker.subnet to ${freeSubnet(taken)}, or remove the other: docker network rm ${name}`,
  }));
}

/** The first /24 from 10.5.0.0 upwards that nobody uses. */
export function freeSubnet(taken: readonly string[]): string {
  const candidates = Array.from(
    { length: 250 * 256 },
    (_, index) => `10.${5 + (index >> 8)}.${index & 255}.0/24`,
  );
  return candidates.find((candidate) => !taken.some((subnet) => overlap(subnet, candidate))) ?? "a free /24";
}

function overlap(first: string, second: string): boolean {
  const [a, b] = [ipaddr.parseCIDR(first), ipaddr.parseCIDR(second)];
  if (a[0].kind() !== b[0].kind()) return false;
  const length = Math.min(a[1], b[1]);
  return a[0].match(b[0], length);
}

const portFinding = ({ port, by, key, free }: TakenPort): Finding => ({
  level: "stop",
  what: "port",
  seen: `${port} is in use${by === "" ? "" : ` by ${by}`}`,
  why: "the lab publishes its APIs on fixed ports, so that kubeconfig and talosconfig stay valid",
  cure: `set ${key} to ${free ?? "a free port"}, or stop the other program`,
});
