import type { LoggedRequest } from "./log";

/** A fault for requests that match; several effects may be combined. */
export interface Fault {
  /** HTTP method; every method when left out. */
  readonly method?: string;
  /** Matched against the path below `/v1`, without the query. */
  readonly path: RegExp;
  /** How often it strikes (default 1). */
  readonly times?: number;
  /** How many matching requests pass before it strikes (default 0). */
  readonly after?: number;
  /** Answers this status instead of doing anything; without `code` the body is empty. */
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
  /** The request is carried out and its first action fails with this error. */
  readonly actionError?: { readonly code: string; readonly message: string };
  /** The request is carried out and its first action never ends. */
  readonly actionHangs?: boolean;
  /** Never answers: `before` nothing was done, `after` the request was carried out. */
  readonly hang?: "before" | "after";
  /** Cuts the connection, before or after the request was carried out. */
  readonly drop?: "before" | "after";
  /** Delays the answer, in ms. */
  readonly delayMs?: number;
  /** Runs after the request was carried out, before its answer leaves. */
  readonly beforeAnswer?: (request: LoggedRequest) => void | Promise<void>;
}

interface Armed {
  readonly fault: Fault;
  skip: number;
  left: number;
}

/** The faults that are armed. */
export class Faults {
  private armed: Armed[] = [];
  private readonly onClear: () => void;

  constructor(onClear: () => void) {
    this.onClear = onClear;
  }

  add(fault: Fault): void {
    this.armed.push({ fault, skip: fault.after ?? 0, left: fault.times ?? 1 });
  }

  /** Disarms all and lets actions that never ended succeed. */
  clear(): void {
    this.armed = [];
    this.onClear();
  }

  /** The first armed fault that strikes this request. */
  take(method: string, path: string): Fault | undefined {
    for (const entry of this.armed) {
      const { fault } = entry;
      if (fault.method !== undefined && fault.method !== method) continue;
      if (entry.left <= 0 || path.search(fault.path) < 0) continue;
      if (entry.skip > 0) {
        entry.skip -= 1;
        continue;
      }
      entry.left -= 1;
      return fault;
    }
    return undefined;
  }
}
