/** What several calls take. Objects are strict and fields required: a misspelt one is an error on both sides. */
import { z } from "zod";

export const role = z.enum(["controlplane", "worker"]);

export const node = z.strictObject({
  name: z.string(),
  role,
  /** In the node network. */
  address: z.string(),
  /** `host:port` of the Talos API as reached from here. */
  endpoint: z.string(),
});

/** Where every machine of the list is a control plane. */
export const controlPlane = node.omit({ role: true });

export type NodeInput = z.infer<typeof node>;

/** Seconds a wait may take. */
export const limits = z.strictObject({
  talosApi: z.number(),
  etcd: z.number(),
  kubernetesApi: z.number(),
  nodesReady: z.number(),
  coreDns: z.number(),
});

/** How to find the engine of a lab's containers: the keys `docker.host` and `docker.context`, not this machine's answer to them. */
const engine = z.strictObject({ host: z.string().optional(), context: z.string().optional() });

/** Where the machines are, for what only their platform can tell (logs, whether one is stopped). */
const whereMachinesAre = z.discriminatedUnion("platform", [
  z.strictObject({ platform: z.literal("docker"), engine }),
  z.strictObject({ platform: z.literal("hetzner") }),
]);

export const machines = { machines: whereMachinesAre };

export type MachinesInput = z.infer<typeof whereMachinesAre>;

export type EngineInput = z.infer<typeof engine>;
