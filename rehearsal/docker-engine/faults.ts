import { EngineError } from "./http";
import type { EngineContainer } from "./world";

/** Answers requests whose `METHOD /path` (without the version) matches, before the engine looks at them. */
export interface RequestFault {
  readonly match: RegExp;
  readonly answer: { readonly status: number; readonly message: string } | "hang";
  /** How often; without it, always. */
  times?: number;
}

/** What tests break, at any time; everything starts empty. */
export interface EngineFaults {
  readonly requests: RequestFault[];
  /** Names of containers whose start fails because the kernel cannot make their network pair. */
  readonly noVeth: Set<string>;
  /** Names of containers whose process ends at once with code 1. */
  readonly exitAtOnce: Set<string>;
}

export const noFaults = (): EngineFaults => ({ requests: [], noVeth: new Set(), exitAtOnce: new Set() });

/** Text of moby for a host whose kernel was upgraded and not rebooted (siderolabs/talos#12434). */
export function startFault(faults: EngineFaults, container: EngineContainer): void {
  if (!faults.noVeth.has(container.name)) return;
  const network = [...container.endpoints.values()].map(({ network: { name } }) => name)[0] ?? "bridge";
  const pair =
    "failed to add the host (veth5a8e7a5) <=> sandbox (veth9d3e1c2) pair interfaces: operation not supported";
  throw new EngineError(500, `failed to create endpoint ${container.name} on network ${network}: ${pair}`);
}

/** The fault that meets this request; counts it. */
export function requestFault(faults: EngineFaults, request: string): RequestFault["answer"] | undefined {
  const fault = faults.requests.find(({ match, times }) => (times ?? 1) > 0 && match.test(request));
  if (fault?.times !== undefined) fault.times -= 1;
  return fault?.answer;
}
