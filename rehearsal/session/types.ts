import type { Tools } from "../tools";

export type StackName = "lab" | "hetzner";

export interface SessionOptions {
  readonly stack: StackName;
  /** The checkout. */
  readonly root: string;
  readonly tools: Tools;
  /** Further stack keys (`talos-fleet:NAME`: value), laid over the committed stack file; objects are merged. */
  readonly overrides?: Readonly<Record<string, unknown>>;
  /** Of the stack's secrets; made up unless given. */
  readonly passphrase?: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Each line of stdout and stderr as it comes. */
  readonly onLine?: (line: string) => void;
  /** The run is killed after this time (default 5 minutes); its code is then 124. */
  readonly timeoutMs?: number;
  readonly stdin?: string;
  /** Aborting it is SIGKILL for the run's whole process group; the code is then 137. */
  readonly kill?: AbortSignal;
}

export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Something that a session started and has to stop. */
export interface Stoppable {
  stop(): Promise<void>;
}
