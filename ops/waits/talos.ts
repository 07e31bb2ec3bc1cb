/** The stages that the Talos API shows. */
import { connect } from "node:net";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import type { NodeInput } from "../../agreed/operations";
import type { Talosctl } from "../clients/talosctl";
import { memberFaults, parseMembers, parseServices } from "./etcd";
import { sighting, type Stage } from "./walk";

export interface TalosStages {
  readonly talosctl: Talosctl;
  readonly nodes: readonly NodeInput[];
  readonly limits: { readonly talosApi: number; readonly etcd: number };
}

const CONNECT_TIMEOUT_MS = 2_000;

/** Each node's own port answers: tells an unreachable port from a Talos that is not up. */
export const talosApiStage = ({ nodes, limits }: TalosStages): Stage => ({
  name: "Talos API",
  limitSeconds: limits.talosApi,
  async look() {
    const faults = await Promise.all(
      nodes.map(async (node) => [node.name, await portFault(node.endpoint)] as const),
    );
    return sighting(
      Object.fromEntries(faults.flatMap(([name, fault]) => (fault === "" ? [] : [[name, fault]]))),
    );
  },
});

function portFault(endpoint: string): Promise<string> {
  const split = endpoint.lastIndexOf(":");
  const target = { host: endpoint.slice(0, split), port: Number(endpoint.slice(split + 1)) };
  return new Promise((resolve) => {
    const socket = connect({ ...target, timeout: CONNECT_TIMEOUT_MS });
    const end = (fault: string) => {
      socket.destroy();
      resolve(fault);
    };
    socket.on("connect", () => end(""));
    socket.on("timeout", () => end(`${endpoint} does not answer`));
    socket.on("error", (error) => end(error.message));
  });
}

const machineStatus = z.looseObject({
  node: z.string(),
  spec: z.looseObject({ stage: z.string(), status: z.looseObject({ ready: z.boolean() }).optional() }),
});

/** A control plane goes on booting until etcd has been founded. */
const CONFIGURED = new Set(["booting", "running"]);

/** Each node has taken its config: it answers to our certificate and is past installation. */
export const configStage = ({ talosctl, nodes, limits }: TalosStages): Stage => ({
  name: "config accepted",
  limitSeconds: limits.talosApi,
  async look() {
    const seen = await machineStages(talosctl, nodes);
    const pending = nodes.flatMap(({ name, address }) => {
      const { stage, fault = "no answer" } = seen.get(address) ?? {};
      if (stage !== undefined && CONFIGURED.has(stage)) return [];
      return [[name, stage === undefined ? fault : `stage ${stage}`] as const];
    });
    return sighting(Object.fromEntries(pending));
  },
});

interface Seen {
  readonly stage?: string;
  readonly fault?: string;
}

/** By address. One call for all, then one for each silent node: talosctl spends its time on the first that is dead. */
async function machineStages(
  talosctl: Talosctl,
  nodes: readonly NodeInput[],
): Promise<ReadonlyMap<string, Seen>> {
  const { endpoints } = through(nodes);
  const ask = async (asked: readonly NodeInput[]) => {
    const target = { endpoints, nodes: asked.map(({ address }) => address) };
    const { stdout, stderr } = await talosctl.run(target, ["get", "machinestatus", "-o", "yaml"]);
    const stages = statusByAddress(stdout);
    return asked.map(({ address }): [string, Seen] => {
      const stage = stages.get(address);
      return [address, stage === undefined ? { fault: stderr || "no answer" } : { stage }];
    });
  };
  const first = new Map(await ask(nodes));
  const silent = nodes.filter(({ address }) => first.get(address)?.stage === undefined);
  if (nodes.length === 1 || silent.length === 0) return first;
  const again = await Promise.all(silent.map((node) => ask([node])));
  return new Map([...first, ...again.flat()]);
}

function statusByAddress(text: string): Map<string, string> {
  const documents = parseAllDocuments(text).map((document) => machineStatus.safeParse(document.toJS()));
  return new Map(
    documents.flatMap((parsed) => (parsed.success ? [[parsed.data.node, parsed.data.spec.stage]] : [])),
  );
}

/** All control planes are voting members, and each node's etcd is healthy. */
export const etcdStage = ({ talosctl, nodes, limits }: TalosStages): Stage => ({
  name: "etcd",
  limitSeconds: limits.etcd,
  async look() {
    const controlPlanes = nodes.filter((node) => node.role === "controlplane");
    const first = controlPlanes.slice(0, 1);
    const [members, services] = await Promise.all([
      talosctl.run(through(first), ["etcd", "members"]),
      Promise.all(controlPlanes.map((node) => serviceFault(talosctl, node, controlPlanes))),
    ]);
    const names = controlPlanes.map((node) => node.name);
    const pending = {
      ...Object.fromEntries(services.flat()),
      ...(members.ok ? memberFaults(names, parseMembers(members.stdout)) : faultOf(first, members.stderr)),
    };
    return sighting(pending);
  },
});

/** Asked node by node: a dead one would take the answers of all with it. */
async function serviceFault(
  talosctl: Talosctl,
  { name, address }: NodeInput,
  controlPlanes: readonly NodeInput[],
): Promise<[string, string][]> {
  const target = { ...through(controlPlanes), nodes: [address] };
  const { stdout, stderr } = await talosctl.run(target, ["service", "etcd"]);
  const seen = parseServices(stdout).get(address);
  if (seen === "OK") return [];
  return [[name, seen === undefined ? `etcd service: ${stderr || "no answer"}` : `etcd service ${seen}`]];
}

const faultOf = (nodes: readonly NodeInput[], fault: string): Record<string, string> =>
  Object.fromEntries(nodes.map((node) => [node.name, fault]));

/** One call through the control planes reaches every node. */
const through = (nodes: readonly NodeInput[]) => ({
  endpoints: nodes.filter((node) => node.role === "controlplane").map((node) => node.endpoint),
  nodes: nodes.map((node) => node.address),
});
