/** A server's console cannot be read over Hetzner's API: its Talos gives the log of the service that is not well. */
import type { Talosctl } from "../../clients/talosctl";
import { healthText, serviceStates } from "../../waits/services";
import { only } from "../../waits/talos";
import type { LiveNode } from "../select";

/** In the order in which one needs the other. */
const SERVICES = ["etcd", "kubelet"] as const;
/** Talos itself: it starts them, and says why it does not. */
const TALOS = "machined";

/** @throws Error in talosctl's words when the node does not answer. */
export async function serverLog(talosctl: Talosctl, node: LiveNode, lines: number): Promise<string> {
  const logOf = async (name: string, count: number): Promise<string> => {
    const { ok, stdout, stderr } = await talosctl.run(only(node), ["logs", name, "--tail", String(count)]);
    if (!ok) throw new Error(stderr === "" ? "no answer" : stderr);
    return withoutAddress(stdout, node.address);
  };
  for (const name of SERVICES) {
    const { stdout } = await talosctl.run(only(node), ["service", name]);
    const service = serviceStates(stdout).get(node.address);
    if (service === undefined || service.health === "OK") continue;
    // One that never ran has no log: its last events say why.
    const log = await logOf(name, lines - 1).catch(() => service.events.slice(0, lines - 1).join("\n"));
    return `${name}: ${healthText(service)}\n${log}`;
  }
  return logOf(TALOS, lines);
}

/** talosctl puts the node's address before each line. */
const withoutAddress = (text: string, address: string): string =>
  text
    .split("\n")
    .map((line) => (line.startsWith(`${address}: `) ? line.slice(address.length + 2) : line))
    .join("\n");
