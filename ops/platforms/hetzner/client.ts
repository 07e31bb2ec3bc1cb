/** The little of Hetzner's API that recovering uses. */
import { setTimeout as pause } from "node:timers/promises";
import axios, { type AxiosInstance } from "axios";
import pRetry, { AbortError } from "p-retry";
import { z } from "zod";
import { inputText, type StateResource } from "../../recover/state";

const PUBLIC_API = "https://api.hetzner.cloud/v1";
const TIMEOUT_MS = 30_000;

/** Something in the account that has labels. */
const labelled = z.looseObject({
  id: z.number(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  labels: z.record(z.string(), z.string()).default({}),
});

export type Labelled = z.infer<typeof labelled>;

const action = z.looseObject({
  id: z.number(),
  status: z.string(),
  error: z.looseObject({ message: z.string() }).nullish(),
});
const answerWithAction = z.looseObject({ action: action.nullish() });
const apiError = z.looseObject({ error: z.looseObject({ code: z.string(), message: z.string() }) });

const paged = z.looseObject({
  meta: z.looseObject({ pagination: z.looseObject({ next_page: z.number().nullish() }).nullish() }).nullish(),
});

/** The most that the API gives at once; without a number it gives 25. */
const PER_PAGE = "50";

/** Answers that mean "not yet": another action is under way. */
const LATER = new Set(["locked", "conflict", "rate_limit_exceeded", "resource_in_use", "service_error"]);

class HetznerFault extends Error {
  readonly code: string;

  constructor(call: string, code: string, message: string) {
    super(`${call}: ${code}: ${message}`);
    this.name = "HetznerFault";
    this.code = code;
  }
}

export interface HetznerClient {
  /** All of them, page by page. */
  list(collection: string, query: Readonly<Record<string, string>>): Promise<Labelled[]>;
  /** Undefined when there is none (any more). */
  get(collection: string, id: string): Promise<Labelled | undefined>;
  /** Waits for the action's end; what is gone already is fine. */
  remove(path: string): Promise<void>;
  act(path: string, body: unknown): Promise<void>;
}

/** How often and how far apart something is asked again. */
export interface RetryPolicy {
  readonly tries: number;
  readonly pauseMs: number;
}

const DEFAULT_RETRIES: RetryPolicy = { tries: 60, pauseMs: 1000 };

/** With the token and endpoint of the provider in the state; undefined without a token. */
export function hetznerClient(
  provider: StateResource | undefined,
  retries: RetryPolicy = DEFAULT_RETRIES,
): HetznerClient | undefined {
  const given = provider === undefined ? undefined : inputText(provider, "token");
  const token = given ?? process.env["HCLOUD_TOKEN"];
  if (token === undefined || token === "") return undefined;
  const endpoint = provider === undefined ? undefined : inputText(provider, "endpoint");
  const http = axios.create({
    baseURL: endpoint ?? PUBLIC_API,
    timeout: TIMEOUT_MS,
    headers: { Authorization: `Bearer ${token}` },
    validateStatus: () => true,
  });
  return clientOf(http, retries);
}

function clientOf(http: AxiosInstance, retries: RetryPolicy): HetznerClient {
  const call = caller(http, retries);
  const settle = async (answer: unknown): Promise<void> => {
    const parsed = answerWithAction.safeParse(answer);
    if (parsed.success && parsed.data.action != null) await actionEnd(call, parsed.data.action, retries);
  };
  return {
    list: async (collection, query) => {
      const found: Labelled[] = [];
      for (let page: number | null = 1; page !== null;) {
        const asked = new URLSearchParams({ ...query, page: String(page), per_page: PER_PAGE });
        const answer = await call("get", `/${collection}?${asked.toString()}`);
        found.push(...z.array(labelled).parse((answer as Record<string, unknown>)[collection]));
        const next = paged.parse(answer).meta?.pagination?.next_page ?? null;
        page = next !== null && next > page ? next : null;
      }
      return found;
    },
    get: async (collection, id) => {
      const answer = await unlessGone(() => call("get", `/${collection}/${id}`));
      const [only] = Object.values((answer ?? {}) as Record<string, unknown>);
      return only === undefined ? undefined : labelled.parse(only);
    },
    remove: async (path) => settle(await unlessGone(() => call("delete", path))),
    act: async (path, body) => settle(await unlessGone(() => call("post", path, body))),
  };
}

type Call = (method: "get" | "post" | "delete", path: string, body?: unknown) => Promise<unknown>;

const caller =
  (http: AxiosInstance, { tries, pauseMs }: RetryPolicy): Call =>
  (method, path, body) =>
    pRetry(
      async () => {
        const { status, data } = await http.request<unknown>({ method, url: path, data: body });
        if (status < 300) return data;
        const parsed = apiError.safeParse(data);
        const { code, message } = parsed.success
          ? parsed.data.error
          : { code: `http_${status}`, message: "no JSON" };
        const fault = new HetznerFault(`${method.toUpperCase()} ${path}`, code, message);
        throw LATER.has(code) || status >= 500 ? fault : new AbortError(fault);
      },
      { retries: tries - 1, minTimeout: pauseMs, factor: 1 },
    );

async function actionEnd(call: Call, { id }: { id: number }, { tries, pauseMs }: RetryPolicy): Promise<void> {
  for (let round = 0; round < tries; round += 1) {
    const answer = await unlessGone(() => call("get", `/actions/${id}`));
    const now = answerWithAction.safeParse(answer);
    if (!now.success || now.data.action == null || now.data.action.status === "success") return;
    if (now.data.action.status === "error") {
      throw new Error(`action ${id}: ${now.data.action.error?.message ?? "failed"}`);
    }
    await pause(pauseMs);
  }
  throw new Error(`action ${id}: still running`);
}

async function unlessGone<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HetznerFault && error.code === "not_found") return undefined;
    throw error;
  }
}
