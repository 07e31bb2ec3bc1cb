import Table from "cli-table3";

import type { SeenNode } from "./cluster";

/** The stack output `nodes`. */
export type NodeOutputs = Readonly<
  Record<
    string,
    { readonly role: string; readonly pool: string; readonly address: string; readonly talosEndpoint: string }
  >
>;

const plain = {
  style: { head: [], border: [] },
  chars: { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" },
};

/** `worker-2` before `worker-10`. */
const byNumber = new Intl.Collator("en", { numeric: true });

const indent = (text: string): string =>
  text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");

/** What the stack says of its nodes beside what the Kubernetes API says. */
export function nodesTable(nodes: NodeOutputs, seen: readonly SeenNode[]): string {
  const byName = new Map(seen.map((node) => [node.name, node]));
  const table = new Table({
    ...plain,
    head: ["node", "role", "pool", "address", "Talos API", "Kubernetes", "kubelet"],
  });
  for (const [name, node] of Object.entries(nodes).sort(([a], [b]) => byNumber.compare(a, b))) {
    const live = byName.get(name);
    const state = live === undefined ? "missing" : live.ready ? "Ready" : "NotReady";
    table.push([name, node.role, node.pool, node.address, node.talosEndpoint, state, live?.kubelet ?? ""]);
  }
  return indent(table.toString());
}

/** Outputs on one line each; secret ones stay "[secret]". */
export function outputsTable(outputs: Readonly<Record<string, unknown>>): string {
  const table = new Table({ ...plain, head: ["output", "value"] });
  for (const [name, value] of Object.entries(outputs)) {
    if (name === "nodes") continue;
    table.push([name, typeof value === "string" ? value : JSON.stringify(value)]);
  }
  return indent(table.toString());
}
