/** Whether the lab's subnet and ports are free. Pure. */
import { overlaps, rangeOf } from "../../../../base/addresses";
import type { EngineNetwork, LabFacts, LabWishes, TakenPort } from "./facts";
import type { Finding } from "../../../preflight/finding";

export interface NetworkQuestion {
  readonly networks: readonly EngineNetwork[];
  readonly takenPorts: LabFacts["takenPorts"];
  readonly wishes: LabWishes;
}

export const networkFindings = (question: NetworkQuestion): Finding[] => [
  ...subnetFindings(question),
  ...question.takenPorts.map(portFinding),
];

function subnetFindings({ networks, wishes }: NetworkQuestion): Finding[] {
  const others = networks.filter(({ name }) => name !== wishes.clusterName);
  const wanted = rangeOf(wishes.subnet);
  const clashes = others.filter(({ subnets }) => subnets.some((subnet) => overlaps(rangeOf(subnet), wanted)));
  const taken = others.flatMap(({ subnets }) => subnets);
  return clashes.map(({ name, subnets }) => ({
    level: "stop",
    what: "subnet",
    seen: `docker.subnet ${wishes.subnet} overlaps network ${name} (${subnets.join(", ")})`,
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
  const ranges = taken.map(rangeOf);
  const isFree = (candidate: string) => !ranges.some((range) => overlaps(range, rangeOf(candidate)));
  return candidates.find(isFree) ?? "a free /24";
}

const portFinding = ({ port, by, key, free }: TakenPort): Finding => ({
  level: "stop",
  what: "port",
  seen: `${port} is in use${by === "" ? "" : ` by ${by}`}`,
  why: "the lab publishes its APIs on fixed ports, so that kubeconfig and talosconfig stay valid",
  cure: `set ${key} to ${free ?? "a free port"}, or stop the other program`,
});
