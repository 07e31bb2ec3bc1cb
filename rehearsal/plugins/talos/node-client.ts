/** Calls to a node through `simnode client`, which connects as the provider does; this side keeps its retry policy. */
import { setTimeout as sleep } from "node:timers/promises";
import { runProgram } from "./program";

export interface NodeTarget {
  /** Where the connection goes. */
  readonly endpoint: string;
  /** What the node calls itself. */
  readonly node: string;
  /** PEM in base64. */
  readonly clientConfiguration: object;
}

export interface NodeRequest extends NodeTarget {
  readonly op: "apply" | "bootstrap" | "kubeconfig" | "disks" | "health";
  readonly [field: string]: unknown;
}

/** The node's refusal; `code` is gRPC's name for it. */
class NodeError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface Answer {
  readonly ok: boolean;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface Limits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface NodeClient {
  /** One attempt. Rejects with a NodeError for what the node or the connection answers. */
  once(request: NodeRequest, limits: Limits): Promise<unknown>;
  /** Attempts until one works, the time is over (then with the last refusal) or the refusal is final. */
  call(request: NodeRequest, limits: Limits): Promise<unknown>;
}

const parseAnswer = (stdout: string, stderr: string): Answer => {
  try {
    return JSON.parse(stdout) as Answer;
  } catch {
    throw new Error(`simnode client: no answer; it said: ${stderr.trim() || "nothing"}`);
  }
};

async function attempt(simnode: string, request: NodeRequest, signal: AbortSignal): Promise<unknown> {
  const { stdout, stderr } = await runProgram(simnode, ["client"], {
    input: JSON.stringify(request),
    signal,
  });
  const answer = parseAnswer(stdout, stderr);
  if (answer.ok) return answer.result;
  throw new NodeError(answer.error?.code ?? "Unknown", answer.error?.message ?? "no error was given");
}

const isFinal = (error: unknown): boolean =>
  !(error instanceof NodeError) || error.code === "InvalidArgument";

/** The waits of Terraform's RetryContext: 0.5 s, doubling to 10 s. */
const nextWait = (wait: number): number => Math.min(Math.max(wait * 2, 500), 10_000);

async function retried(simnode: string, request: NodeRequest, limits: Limits): Promise<unknown> {
  const over = AbortSignal.timeout(limits.timeoutMs);
  const signal = limits.signal === undefined ? over : AbortSignal.any([over, limits.signal]);
  let refusal: unknown = new Error(
    `timeout while waiting for state to become 'success' (timeout: ${limits.timeoutMs / 1000}s)`,
  );
  for (let wait = 100; ; wait = nextWait(wait)) {
    try {
      return await attempt(simnode, request, signal);
    } catch (error) {
      if (!signal.aborted) {
        if (isFinal(error)) throw error;
        refusal = error;
        await sleep(nextWait(wait), undefined, { signal }).catch(() => undefined);
      }
    }
    if (limits.signal?.aborted === true) throw new Error("context canceled");
    if (over.aborted) throw refusal;
  }
}

export const createNodeClient = (simnode: string): NodeClient => ({
  once: (request, { timeoutMs, signal }) =>
    attempt(simnode, request, AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])),
  call: (request, limits) => retried(simnode, request, limits),
});
