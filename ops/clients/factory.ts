/** The Image Factory's HTTP API, as far as this program uses it. */
import axios, { AxiosError, type AxiosInstance, type AxiosResponse } from "axios";
import pRetry, { AbortError } from "p-retry";
import { z } from "zod";

export interface FactoryClientOptions {
  /** `https://factory.talos.dev`, without a trailing slash. */
  readonly factoryUrl: string;
  /** Milliseconds for one request; default 30 000. */
  readonly timeout?: number;
  /** Repeats after a 5xx answer or a network fault; default 4. */
  readonly retries?: number;
  /** Milliseconds before the first repeat, doubled each time; default 1000. */
  readonly pause?: number;
  /** How an answer's body is told when it is not what was asked for; default as it is. */
  readonly shown?: (body: string) => string;
}

export interface CreatedSchematic {
  readonly id: string;
  /** The factory's own canonical text; releases before v1.3.0 do not tell. */
  readonly text?: string;
  /** The `Server` header: `Image Factory v1.5.0`. */
  readonly server?: string;
}

/** The factory's answer was no, or no answer came in time; the message holds what it said. */
export class FactoryError extends Error {
  /** HTTP status; undefined when there was no answer at all. */
  readonly status: number | undefined;

  constructor(message: string, status: number | undefined) {
    super(message);
    this.name = "FactoryError";
    this.status = status;
  }
}

const created = z.object({ id: z.string(), schematic: z.string().optional() });
const named = z.array(z.object({ name: z.string() }));

/** Proxies are taken from HTTPS_PROXY, HTTP_PROXY and NO_PROXY by axios itself. */
export class FactoryClient {
  readonly #options: Required<FactoryClientOptions>;
  readonly #http: AxiosInstance;

  constructor(options: FactoryClientOptions) {
    this.#options = { timeout: 30_000, retries: 4, pause: 1000, shown: (body) => body, ...options };
    const { factoryUrl, timeout } = this.#options;
    // Text, because the factory sends lists without a JSON content type.
    this.#http = axios.create({
      baseURL: factoryUrl,
      timeout,
      responseType: "text",
      transformResponse: (data: unknown) => data,
    });
  }

  /** POSTs the canonical text as it is. @throws FactoryError */
  async createSchematic(text: string): Promise<CreatedSchematic> {
    const response = await this.#request("post", "/schematics", text);
    const { id, schematic } = this.#parse(created, response, "/schematics");
    const server: unknown = response.headers.server;
    return {
      id,
      ...(schematic === undefined ? {} : { text: schematic }),
      ...(typeof server === "string" ? { server } : {}),
    };
  }

  /** The stored text. @throws FactoryError with status 404 when the factory does not know the id */
  async schematic(id: string): Promise<string> {
    return (await this.#request("get", `/schematics/${id}`)).data;
  }

  /** Names of the official extensions for a Talos version. @throws FactoryError */
  async extensions(version: string): Promise<string[]> {
    return this.#names(`/version/${version}/extensions/official`);
  }

  /** Names of the official overlays for a Talos version. @throws FactoryError */
  async overlays(version: string): Promise<string[]> {
    return this.#names(`/version/${version}/overlays/official`);
  }

  /** Talos versions the factory builds for. @throws FactoryError */
  async versions(): Promise<string[]> {
    return this.#parse(z.array(z.string()), await this.#request("get", "/versions"), "/versions");
  }

  async #names(path: string): Promise<string[]> {
    const list = this.#parse(named, await this.#request("get", path), path);
    return list.map(({ name }) => name);
  }

  async #request(method: "get" | "post", url: string, data?: string): Promise<AxiosResponse<string>> {
    const { retries, pause, factoryUrl, shown } = this.#options;
    const attempt = async () => {
      try {
        const headers = { "Content-Type": "application/yaml" };
        return await this.#http.request<string>({
          method,
          url,
          ...(data === undefined ? {} : { data, headers }),
        });
      } catch (error) {
        const failure = describe(error, `${method.toUpperCase()} ${factoryUrl}${url}`, shown);
        throw failure.status !== undefined && failure.status < 500 ? new AbortError(failure) : failure;
      }
    };
    return pRetry(attempt, { retries, minTimeout: pause, factor: 2 });
  }

  #parse<T>(schema: z.ZodType<T>, { data, status }: AxiosResponse<string>, path: string): T {
    try {
      return schema.parse(JSON.parse(data));
    } catch {
      const { factoryUrl, shown } = this.#options;
      const start = shown(data).slice(0, 200);
      const rule = `the answer is not what an Image Factory sends: ${start}`;
      throw new FactoryError(`${factoryUrl}${path}: ${rule}`, status);
    }
  }
}

function describe(error: unknown, call: string, shown: (body: string) => string): FactoryError {
  if (!(error instanceof AxiosError)) return new FactoryError(`${call}: ${String(error)}`, undefined);
  if (!error.response)
    return new FactoryError(`${call}: ${error.message} (${error.code ?? "no answer"})`, undefined);
  const { status, data, headers } = error.response as AxiosResponse<unknown>;
  const id: unknown = headers["x-request-id"];
  const request = typeof id === "string" ? ` (request ${id})` : "";
  return new FactoryError(`${call}: ${status}: ${shown(String(data).trim())}${request}`, status);
}
