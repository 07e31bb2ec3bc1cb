/** A cluster that grows and shrinks: what the nodes themselves say of it after each run. */
import { kubernetesNodes } from "../../../rehearsal/demo/cluster";
import type { Session } from "../../../rehearsal/session";
import { overrideStackFile } from "../../../rehearsal/session/stack-file";
import { stackFile } from "./change";
import { machines } from "./converge";
import { openStack, succeeded } from "./open";
import { changesOf, stepsOf } from "./steps";
import { talosctl } from "./talosctl";

export interface Sizes {
  readonly controlPlanes: number;
  readonly workers: number;
}

/** What a cluster of these sizes has: its machines, Kubernetes' nodes (all Ready), etcd's voting members. */
export interface Members {
  readonly machines: readonly string[];
  readonly nodes: readonly string[];
  readonly etcd: readonly string[];
}

const countTo = (count: number, name: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => name(index + 1));

export function expectedMembers(cluster: string, { controlPlanes, workers }: Sizes): Members {
  const etcd = countTo(controlPlanes, (n) => `${cluster}-controlplane-${n}`);
  const all = [...etcd, ...countTo(workers, (n) => `${cluster}-worker-${n}`)];
  return { machines: all, nodes: all, etcd };
}

const keys = (stack: string, { controlPlanes, workers }: Sizes) => {
  const first = stack === "lab" ? { firstAddress: 10 } : {};
  return {
    "talos-fleet:controlPlanes": { count: controlPlanes },
    "talos-fleet:workers": [{ name: "worker", count: workers, ...first }],
    // Servers of control planes are protected by default: taking one away wants that off first.
    "talos-fleet:deletionProtection": false,
  };
};

export const openSized = (stack: "lab" | "hetzner", sizes: Sizes): Promise<Session> =>
  openStack(stack, keys(stack, sizes));

/** Sets the sizes, runs `up` once, and tells what is there; a second run would change nothing. */
export async function resize(session: Session, sizes: Sizes): Promise<Members> {
  overrideStackFile(stackFile(session), keys(session.stack, sizes));
  succeeded(await session.up());
  expect(changesOf(stepsOf(await session.preview({ json: true })))).toEqual([]);
  return members(session);
}

export async function members(session: Session): Promise<Members> {
  const outputs = await session.outputs({ showSecrets: true });
  const nodes = await kubernetesNodes(String(outputs["kubeconfig"]));
  const table = await talosctl(session, String(outputs["talosconfig"]), ["etcd", "members"]);
  const rows = [...table.matchAll(/^\S+ +\S+ +(\S+) .*\b(true|false)\s*$/gm)];
  return {
    machines: machines(session),
    nodes: nodes
      .filter(({ ready }) => ready)
      .map(({ name }) => name)
      .sort(),
    etcd: [
      ...new Set(rows.filter(([, , learner]) => learner === "false").map(([, name = ""]) => name)),
    ].sort(),
  };
}
