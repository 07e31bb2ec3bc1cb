/** The waits for what the Talos API shows. */
import { connect } from "node:net";
import type { NodeInput } from "../../agreed/operations";
import { pairs } from "../lib/pairs";
import type { Talosctl, TalosctlTarget } from "../clients/talosctl";
import { memberFault, memberFaults, parseMembers } from "./etcd";
import { MACHINE_STATUS, machineStatuses } from "./machine-status";
import { healthText, serviceStates } from "./services";
import { seen, type Wait } from "./wait";

export interface TalosWaits {
  readonly talosctl: Talosctl;
  readonly nodes: readonly NodeInput[];
  readonly limits: { readonly talosApi: number; readonly etcd: number };
}

const CONNECT_TIMEOUT_MS = 2_000;

/** Each node's own port answers: tells an unreachable port from a Talos that is not up. */
export const talosApiWait = ({ nodes, limits }: TalosWaits): Wait => ({
  name: "Talos API",
  limitSeconds: limits.talosApi,
  look: async () => seen(await pairs(nodes, ({ endpoint }) => portFault(endpoint))),
});

function portFault(endpoint: string): Promise<string | undefined> {
  const split = endpoint.lastIndexOf(":");
  const target = { host: endpoint.slice(0, split), port: Number(endpoint.slice(split + 1)) };
  return new Promise((resolve) => {
    const socket = connect({ ...target, timeout: CONNECT_TIMEOUT_MS });
    const end = (fault?: string) => {
      socket.destroy();
      resolve(fault);
    };
    socket.on("connect", () => end());
    socket.on("timeout", () => end(`${endpoint} does not answer`));
    socket.on("error", (error) => end(error.message));
  });
}

/** A control plane goes on booting until etcd has been founded. */
const CONFIGURED = new Set(["booting", "running"]);

/** Each node has taken its config: it answers to our certificate and is past installation. */
export const configWait = ({ talosctl, nodes, limits }: TalosWaits): Wait => ({
  name: "config accepted",
  limitSeconds: limits.talosApi,
  async look() {
    const stages = await machineStages(talosctl, nodes);
    const pending = nodes.flatMap(({ name, address }) => {
      const { stage, fault = "no answer" } = stages.get(address) ?? {};
      if (stage !== undefined && CONFIGURED.has(stage)) return [];
      return [[name, stage === undefined ? fault : `stage ${stage}`] as const];
    });
    return seen(Object.fromEntries(pending));
  },
});

interface StageSeen {
  readonly stage?: string;
  readonly fault?: string;
}

/** By address. One call for all, then one for each silent node: talosctl spends its time on the first that is dead. */
async function machineStages(
  talosctl: Talosctl,
  nodes: readonly NodeInput[],
): Promise<ReadonlyMap<string, StageSeen>> {
  const { endpoints } = through(nodes);
  const ask = async (asked: readonly NodeInput[]) => {
    const target = { endpoints, nodes: asked.map(({ address }) => address) };
    const { stdout, stderr } = await talosctl.run(target, MACHINE_STATUS);
    const statuses = machineStatuses(stdout);
    return asked.map(({ address }): [string, StageSeen] => {
      const stage = statuses.get(address)?.stage;
      return [address, stage === undefined ? { fault: stderr || "no answer" } : { stage }];
    });
  };
  const first = new Map(await ask(nodes));
  const silent = nodes.filter(({ address }) => first.get(address)?.stage === undefined);
  if (nodes.length === 1 || silent.length === 0) return first;
  const again = await Promise.all(silent.map((node) => ask([node])));
  return new Map([...first, ...again.flat()]);
}

/** All control planes are voting members, and each node's etcd is healthy. */
export const etcdWait = ({ talosctl, nodes, limits }: TalosWaits): Wait => ({
  name: "etcd",
  limitSeconds: limits.etcd,
  async look() {
    const controlPlanes = nodes.filter((node) => node.role === "controlplane");
    const first = controlPlanes.slice(0, 1);
    const { endpoints } = through(controlPlanes);
    const [members, services] = await Promise.all([
      talosctl.run(through(first), ["etcd", "members"]),
      pairs(controlPlanes, ({ address }) => etcdFault(talosctl, { endpoints, nodes: [address] })),
    ]);
    const names = controlPlanes.map(({ name }) => name);
    return seen({
      ...services,
      ...(members.ok
        ? memberFaults(names, parseMembers(members.stdout))
        : Object.fromEntries(first.map(({ name }) => [name, members.stderr]))),
    });
  },
});

export interface MemberWait extends Pick<TalosWaits, "talosctl" | "limits"> {
  readonly node: NodeInput;
  /** Those of them that are members must be healthy; the others are not waited for. */
  readonly controlPlanes: readonly NodeInput[];
}

/** One control plane is a voting member again, and every member that belongs to the stack is healthy. */
export const memberWait = ({ talosctl, node, controlPlanes, limits }: MemberWait): Wait => ({
  name: "etcd",
  limitSeconds: limits.etcd,
  async look() {
    const answer = await talosctl.run(only(node), ["etcd", "members"]);
    if (!answer.ok) return seen({ [node.name]: answer.stderr || "no answer" });
    const members = parseMembers(answer.stdout);
    const present = controlPlanes.filter(({ name }) => members.some(({ hostname }) => hostname === name));
    const asked = [...present.filter(({ name }) => name !== node.name), node];
    const faults = await pairs(asked, (one) => etcdFault(talosctl, only(one)));
    return seen({ ...faults, ...memberFault(node.name, members) });
  },
});

/** Asked node by node: a dead one would take the answers of all with it. */
export async function etcdFault(talosctl: Talosctl, target: TalosctlTarget): Promise<string | undefined> {
  const { stdout, stderr } = await talosctl.run(target, ["service", "etcd"]);
  const service = serviceStates(stdout).get(target.nodes[0] ?? "");
  if (service === undefined) return `etcd service: ${stderr || "no answer"}`;
  return service.health === "OK" ? undefined : `etcd service ${healthText(service)}`;
}

/** Straight to one node. */
export const only = ({ endpoint, address }: Pick<NodeInput, "endpoint" | "address">): TalosctlTarget => ({
  endpoints: [endpoint],
  nodes: [address],
});

/** One call through the control planes reaches every node. */
const through = (nodes: readonly NodeInput[]): TalosctlTarget => ({
  endpoints: nodes.filter((node) => node.role === "controlplane").map((node) => node.endpoint),
  nodes: nodes.map((node) => node.address),
});
