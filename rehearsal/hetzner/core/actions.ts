import { ApiError, invalid, notFound } from "./errors";
import type { Fault } from "./faults";
import type { Lockable } from "./model";

export interface Action {
  readonly id: number;
  readonly command: string;
  status: "running" | "success" | "error";
  progress: number;
  readonly started: string;
  finished: string | null;
  readonly resources: readonly { id: number; type: string }[];
  error: { code: string; message: string } | null;
}

export interface ActionStart {
  readonly command: string;
  readonly resources: readonly { id: number; type: string }[];
  /** Held until the action ends. */
  readonly locks?: readonly Lockable[];
  /** Begins only when this action has succeeded. */
  readonly after?: Action;
  /** The effect, at the end of the action's time. */
  readonly finish?: () => void | Promise<void>;
  /** Undoes what was reserved at the start. */
  readonly abandon?: () => void;
}

interface Running extends ActionStart {
  readonly action: Action;
  timer?: NodeJS.Timeout;
  hangs: boolean;
  readonly followers: Running[];
}

/** Actions live for ever: clients ask for them after their resource is gone. */
export class Actions {
  /** Strikes the next action that is started; set while a request is handled. */
  fault: Fault | undefined;
  private readonly all = new Map<number, Action>();
  private readonly running = new Map<number, Running>();
  private readonly nextId: () => number;
  private readonly durationMs: number;
  private readonly onEnd: () => Promise<void>;

  constructor(options: { nextId: () => number; durationMs: number; onEnd: () => Promise<void> }) {
    this.nextId = options.nextId;
    this.durationMs = options.durationMs;
    this.onEnd = options.onEnd;
  }

  start(request: ActionStart): Action {
    const action: Action = {
      id: this.nextId(),
      command: request.command,
      status: "running",
      progress: 0,
      started: new Date().toISOString(),
      finished: null,
      resources: request.resources,
      error: null,
    };
    this.all.set(action.id, action);
    const entry: Running = { ...request, action, hangs: this.fault?.actionHangs === true, followers: [] };
    this.running.set(action.id, entry);
    for (const resource of request.locks ?? []) resource.lockedBy = action.id;
    const failure = this.fault?.actionError;
    this.fault = undefined;
    const previous = request.after === undefined ? undefined : this.running.get(request.after.id);
    if (previous !== undefined) previous.followers.push(entry);
    else this.schedule(entry, failure);
    return action;
  }

  find(id: number): Action {
    const action = this.all.get(id);
    if (action === undefined) throw notFound("action", id);
    return action;
  }

  /** Only the actions asked for; the API no longer lists all of them. */
  list(ids: readonly string[]): Action[] {
    if (ids.length === 0) {
      throw new ApiError(410, {
        code: "deprecated_api_endpoint",
        message: "listing all actions was removed, ask by id",
        details: { announcement: "https://docs.hetzner.cloud/changelog" },
      });
    }
    return ids.flatMap((id) => {
      if (!/^\d+$/.test(id)) throw invalid("id", "must be a number");
      return this.all.get(Number(id)) ?? [];
    });
  }

  of(type: string, id: number): Action[] {
    return [...this.all.values()].filter((action) =>
      action.resources.some((resource) => resource.type === type && resource.id === id),
    );
  }

  /** Lets actions that a fault made endless succeed. */
  release(): void {
    for (const entry of this.running.values()) {
      if (!entry.hangs) continue;
      entry.hangs = false;
      this.schedule(entry, undefined);
    }
  }

  stop(): void {
    for (const entry of this.running.values()) clearTimeout(entry.timer);
    this.running.clear();
  }

  private schedule(entry: Running, failure: Fault["actionError"]): void {
    if (entry.hangs) return;
    entry.timer = setTimeout(() => void this.end(entry, failure), this.durationMs);
  }

  private async end(entry: Running, failure: Fault["actionError"]): Promise<void> {
    const { action } = entry;
    let error = failure ?? null;
    try {
      if (error === null) await entry.finish?.();
    } catch (thrown) {
      error = { code: "unknown_error", message: thrown instanceof Error ? thrown.message : String(thrown) };
    }
    if (error !== null) entry.abandon?.();
    this.unlock(entry);
    await this.onEnd();
    action.error = error;
    action.progress = 100;
    action.finished = new Date().toISOString();
    action.status = error === null ? "success" : "error";
    this.running.delete(action.id);
    const stopped = { code: "action_failed", message: `${action.command} failed before` };
    for (const follower of entry.followers) {
      if (error === null) this.schedule(follower, undefined);
      else void this.end(follower, stopped);
    }
  }

  /** A follower that locked the same resource keeps it. */
  private unlock(entry: Running): void {
    for (const resource of entry.locks ?? []) {
      if (resource.lockedBy === entry.action.id) resource.lockedBy = null;
    }
  }
}
