/** HTTP to the Hetzner Cloud API as hcloud-go does it: retries, error wording, waiting for actions. */
import axios, { isAxiosError, type AxiosResponse } from "axios";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiAction } from "./api-types";

export interface ClientConfig {
  readonly endpoint: string;
  readonly token: string;
  readonly pollIntervalMs: number;
  readonly pollFunction: "constant" | "exponential";
  /** First pause of a retry, in milliseconds; hcloud-go has 1000. */
  readonly retryBaseMs: number;
}

interface ErrorBody {
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly details?: { readonly fields?: readonly Field[] } | null;
  };
}
interface Field {
  readonly name: string;
  readonly messages: readonly string[];
}

/** An answer that is an error; the message is what the real provider prints. */
class ApiError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export const isCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof ApiError && codes.includes(error.code);

const retriedByClient = ["conflict", "rate_limit_exceeded", "bad_gateway", "timeout"];
const clientTries = 5;
const longestPoll = 60_000;
const requestTimeout = 60_000;

function toError(response: AxiosResponse<unknown>): ApiError {
  const body = (response.data ?? {}) as ErrorBody;
  const { error } = body;
  if (error === undefined) {
    const bodyless =
      response.status === 502 ? "bad_gateway" : response.status === 504 ? "timeout" : "unknown_error";
    return new ApiError(bodyless, `hcloud: server responded with status code ${response.status}`);
  }
  const correlation: unknown = response.headers["x-correlation-id"];
  const mark =
    typeof correlation === "string" && correlation !== "" ? `${error.code}, ${correlation}` : error.code;
  const fields = error.details?.fields ?? [];
  const list = fields.map(({ name, messages }) => `${name} => [${messages.join(" ")}]`).join(", ");
  return new ApiError(error.code, `${error.message} (${mark})${fields.length > 0 ? `: [${list}]` : ""}`);
}

const isTimeout = (error: unknown): boolean =>
  isAxiosError(error) && ["ECONNABORTED", "ETIMEDOUT"].includes(error.code ?? "");

interface Call {
  readonly body?: object;
  readonly query?: readonly (readonly [string, string | number])[];
  readonly signal?: AbortSignal | undefined;
}

export interface HetznerClient {
  get<T>(path: string, call?: Call): Promise<T>;
  /** Undefined on `not_found`. */
  find<T>(path: string, signal?: AbortSignal): Promise<T | undefined>;
  post<T>(path: string, call?: Call): Promise<T>;
  put<T>(path: string, call?: Call): Promise<T>;
  delete<T>(path: string, signal?: AbortSignal): Promise<T>;
  /** Until every action has succeeded; throws the first one's failure. */
  wait(actions: readonly (ApiAction | null | undefined)[], signal?: AbortSignal): Promise<void>;
  /** Posts `/<path>/actions/<name>` and waits for it. */
  act(path: string, call?: Call): Promise<void>;
  /** Up to `tries` runs with pauses of 1, 2, 4 … seconds while the API answers one of the codes. */
  insist<T>(codes: readonly string[], tries: number, work: () => Promise<T>): Promise<T>;
}

const actionError = ({ id, error }: ApiAction): ApiError =>
  new ApiError(
    error?.code ?? "unknown_error",
    `${error?.message ?? "action failed"} (${error?.code ?? "unknown_error"}, ${id})`,
  );

/** One request after another until the API takes it. */
type Send = <T>(method: string, path: string, call?: Call) => Promise<T>;

function sender(config: ClientConfig): Send {
  const http = axios.create({
    baseURL: config.endpoint.replace(/\/+$/, ""),
    timeout: requestTimeout,
    validateStatus: () => true,
    ...(isLoopback(config.endpoint) ? { proxy: false } : {}),
    headers: {
      Authorization: `Bearer ${config.token}`,
      "User-Agent": "hcloud-terraform/1.68.0 hcloud-go/2.47.0",
    },
  });

  async function once<T>(method: string, path: string, call: Call): Promise<T> {
    const params = new URLSearchParams(
      (call.query ?? []).map(([key, value]): [string, string] => [key, String(value)]),
    );
    const response = await http.request<unknown>({
      method,
      url: path,
      ...(call.body === undefined ? {} : { data: call.body }),
      ...(call.query === undefined ? {} : { params }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    });
    if (response.status >= 400) throw toError(response);
    return response.data as T;
  }

  return async <T>(method: string, path: string, call: Call = {}): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once<T>(method, path, call);
      } catch (error) {
        const again = isCode(error, ...retriedByClient) || isTimeout(error);
        if (!again || attempt === clientTries) throw error;
        await pause(config.retryBaseMs * 2 ** (attempt - 1) * (1 + Math.random()), call.signal);
      }
    }
  };
}

/** A proxy of the environment would not reach this machine's own simulation. */
const isLoopback = (endpoint: string): boolean => /^https?:\/\/(127\.|localhost|\[::1\])/.test(endpoint);

/** As many actions as one poll asks for. */
const pollSize = 25;

async function poll(
  send: Send,
  actions: readonly ApiAction[],
  signal: AbortSignal | undefined,
): Promise<ApiAction[]> {
  const ids = actions.slice(0, pollSize).map(({ id }) => ["id", id] as const);
  const query = [...ids, ["page", 1] as const, ["sort", "status"] as const, ["sort", "id"] as const];
  const answer = await send<{ actions: ApiAction[] }>("GET", "/actions", { query, signal });
  if (answer.actions.length !== ids.length) throw new Error("actions not found");
  return [...answer.actions, ...actions.slice(pollSize)];
}

function waiter(send: Send, config: ClientConfig): HetznerClient["wait"] {
  const interval = (round: number): number =>
    config.pollFunction === "constant"
      ? config.pollIntervalMs
      : Math.min(config.pollIntervalMs * 2 ** round, longestPoll);
  return async (given, signal) => {
    let open = given.filter((action): action is ApiAction => action !== null && action !== undefined);
    for (let round = 0; ; round += 1) {
      const failed = open.find(({ status }) => status === "error");
      if (failed !== undefined) throw actionError(failed);
      open = open.filter(({ status }) => status !== "success");
      if (open.length === 0) return;
      await pause(interval(round), signal);
      open = await poll(send, open, signal);
    }
  };
}

export function hetznerClient(config: ClientConfig): HetznerClient {
  const send = sender(config);
  const wait = waiter(send, config);
  return {
    get: (path, call) => send("GET", path, call),
    find: async <T>(path: string, signal?: AbortSignal) => {
      try {
        return await send<T>("GET", path, { signal });
      } catch (error) {
        if (isCode(error, "not_found")) return undefined;
        throw error;
      }
    },
    post: (path, call) => send("POST", path, call),
    put: (path, call) => send("PUT", path, call),
    delete: (path, signal) => send("DELETE", path, { signal }),
    wait,
    act: async (path, call) => {
      const answer = await send<{ action?: ApiAction; actions?: ApiAction[] }>("POST", path, call);
      await wait([answer.action, ...(answer.actions ?? [])], call?.signal);
    },
    insist: (codes, tries, work) => insist(codes, { tries, baseMs: config.retryBaseMs }, work),
  };
}

async function insist<T>(
  codes: readonly string[],
  limits: { tries: number; baseMs: number },
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isCode(error, ...codes) || attempt === limits.tries) throw error;
      await pause(limits.baseMs * 2 ** (attempt - 1));
    }
  }
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    throw signal?.reason instanceof Error ? signal.reason : error;
  }
}
