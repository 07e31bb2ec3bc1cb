/** What the program hands to an operation: JSON on standard input, never in arguments. */
import { text } from "node:stream/consumers";
import { z } from "zod";

/** @throws when standard input is not what the operation takes; names the fields, never their values. */
export async function readInput<T>(schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(parseJson(await text(process.stdin)));
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new Error(
    `standard input: ${fields.join("; ")}; the program and the command are of different versions`,
  );
}

/** Node's own message shows a piece of the text, which holds credentials. */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error("standard input: is not JSON; the program gives it when it calls this command");
  }
}

export const nodeInput = z.object({
  name: z.string(),
  role: z.enum(["controlplane", "worker"]).default("controlplane"),
  /** In the node network. */
  address: z.string(),
  /** `host:port` of the Talos API as reached from here. */
  endpoint: z.string(),
});

export type NodeInput = z.infer<typeof nodeInput>;

/** Seconds a stage may take. */
export const limitsInput = z.object({
  talosApi: z.number(),
  etcd: z.number(),
  kubernetesApi: z.number(),
  nodesReady: z.number(),
  coreDns: z.number(),
});

/** How to find the engine of a lab's containers: the keys `docker.host` and `docker.context`. */
export const engineInput = z.object({ host: z.string().optional(), context: z.string().optional() });
