import { readFileSync } from "node:fs";
import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";

/** An answer of the engine that is no success, in the words of Docker's own client. */
export class DaemonError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(`Error response from daemon: ${message}`);
    this.status = status;
  }
}

export interface TlsMaterial {
  readonly ca?: string | Buffer;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
}

export interface Endpoint {
  /** `unix://…`, `tcp://…`, `http://…`, `https://…`; other schemes cannot be talked to from here. */
  readonly host: string;
  readonly tls?: TlsMaterial;
}

interface ApiCall {
  readonly method?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export interface DockerClient {
  readonly host: string;
  /** The engine's answer as JSON (or text where it is none). Throws DaemonError, or says that nothing listens. */
  call<T>(path: string, call?: ApiCall): Promise<T>;
  /** Throws when the engine does not answer `GET /_ping`. */
  ping(): Promise<void>;
}

/** The newest API that this client was written for; an older engine's own is used. */
const NEWEST_API = 47;
const PING_MS = 5000;

/** `ca.pem`, `cert.pem` and `key.pem` of a folder, as DOCKER_CERT_PATH has them. */
export const tlsFromFolder = (folder: string): TlsMaterial => ({
  ca: readFileSync(join(folder, "ca.pem")),
  cert: readFileSync(join(folder, "cert.pem")),
  key: readFileSync(join(folder, "key.pem")),
});

const agent = new HttpAgent({ keepAlive: false });

function address({ host, tls }: Endpoint): { options: RequestOptions; secure: boolean } {
  if (host.startsWith("unix://"))
    return { options: { socketPath: host.slice("unix://".length), agent }, secure: false };
  const { protocol, hostname, port } = new URL(host);
  if (!["tcp:", "http:", "https:"].includes(protocol)) throw new Error(`unable to parse docker host ${host}`);
  const secure = protocol === "https:" || (protocol === "tcp:" && tls !== undefined);
  return { options: { host: hostname, port: port === "" ? (secure ? 2376 : 2375) : port, ...tls }, secure };
}

const unreachable = (host: string): Error =>
  new Error(`Cannot connect to the Docker daemon at ${host}. Is the docker daemon running?`);

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function exchange(endpoint: Endpoint, path: string, call: ApiCall): Promise<IncomingMessage> {
  const { options, secure } = address(endpoint);
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  const headers =
    body === undefined
      ? {}
      : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
  const signals = [
    call.signal,
    call.timeoutMs === undefined ? undefined : AbortSignal.timeout(call.timeoutMs),
  ];
  const signal = AbortSignal.any(signals.filter((one) => one !== undefined));
  return new Promise((resolve, reject) => {
    const send = secure ? httpsRequest : httpRequest;
    const outgoing = send({ ...options, method: call.method ?? "GET", path, headers, signal }, resolve);
    outgoing.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        ["ECONNREFUSED", "ENOENT", "ECONNRESET"].includes(error.code ?? "")
          ? unreachable(endpoint.host)
          : error,
      ),
    );
    outgoing.end(body);
  });
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

function failure(status: number, text: string): DaemonError {
  const parsed = parse(text);
  const message =
    typeof parsed === "object" && parsed !== null && "message" in parsed
      ? String(parsed.message)
      : text.trim();
  return new DaemonError(status, message);
}

const apiVersion = (response: IncomingMessage): string => {
  const offered = Number(String(response.headers["api-version"] ?? "1.41").split(".")[1]);
  return `1.${Math.min(Number.isFinite(offered) ? offered : 41, NEWEST_API)}`;
};

/** A client for one engine; the API version is agreed on at the first call. */
export function dockerClient(endpoint: Endpoint): DockerClient {
  let version: Promise<string> | undefined;
  const negotiate = async (): Promise<string> => {
    const response = await exchange(endpoint, "/_ping", { timeoutMs: PING_MS });
    await textOf(response);
    return apiVersion(response);
  };
  const agreed = (): Promise<string> => {
    version ??= negotiate().catch((error: unknown) => {
      version = undefined;
      throw error;
    });
    return version;
  };
  return {
    host: endpoint.host,
    ping: async () => {
      version = undefined;
      await agreed();
    },
    call: async <T>(path: string, call: ApiCall = {}): Promise<T> => {
      const query = new URLSearchParams(call.query).toString();
      const target = `/v${await agreed()}${path}${query === "" ? "" : `?${query}`}`;
      const response = await exchange(endpoint, target, call);
      const text = await textOf(response);
      if ((response.statusCode ?? 500) >= 400) throw failure(response.statusCode ?? 500, text);
      return parse(text) as T;
    },
  };
}

export const isNotFound = (error: unknown): boolean => error instanceof DaemonError && error.status === 404;
