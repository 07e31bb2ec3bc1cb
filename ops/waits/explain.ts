/** Adds to a failed wait what the machines of the nodes behind have to say. */
import { messageOf } from "../../base/text";
import type { LiveMachines } from "../platforms/select";
import { WaitError } from "./wait";

const LINES = 15;

export interface Explained {
  readonly machines: LiveMachines;
  /** All nodes that the work waits for. */
  readonly nodes: readonly { readonly name: string; readonly role: "controlplane" | "worker" }[];
}

/** Runs `work`; a wait that fails is told with node logs and, where something shows one, the cause and its cure. */
export async function explained<T>({ machines, nodes }: Explained, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WaitError)) throw error;
    const stories = await Promise.all(
      behind(error, nodes).map((node) => story({ node, seen: error.pending[node] ?? "", machines })),
    );
    throw new Error([error.message, ...stories.flat()].join("\n"), { cause: error });
  }
}

/** What is pending may be no node (`CoreDNS`, an address): then the control planes know most. */
function behind({ pending }: WaitError, nodes: Explained["nodes"]): string[] {
  const named = nodes.filter(({ name }) => name in pending);
  const asked = named.length > 0 ? named : nodes.filter(({ role }) => role === "controlplane");
  return asked.map(({ name }) => name);
}

interface Behind {
  readonly node: string;
  readonly seen: string;
  readonly machines: LiveMachines;
}

async function story({ node, seen, machines }: Behind): Promise<string[]> {
  const { log, fault } = await logOf(machines, node);
  const found = machines.cause(log, seen) ?? machines.cause(seen, seen);
  const cause = found === undefined ? [] : [`  cause: ${found.cause}`, `  do:    ${found.cure}`];
  const lines = log === "" ? [] : log.trimEnd().split("\n").slice(-LINES);
  const head =
    lines.length > 0 ? [`${node}: the last lines of its log:`] : cause.length > 0 ? [`${node}:`] : [];
  const unread = fault === undefined ? [] : [`${node}: its log cannot be read: ${fault}`];
  return [...unread, ...head, ...lines.map((line) => `  | ${line}`), ...cause];
}

async function logOf(machines: LiveMachines, node: string): Promise<{ log: string; fault?: string }> {
  try {
    return { log: (await machines.log(node, LINES)) ?? "" };
  } catch (error) {
    return { log: "", fault: messageOf(error).split("\n")[0]?.trim() ?? "" };
  }
}
