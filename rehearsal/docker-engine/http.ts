import type { IncomingMessage, ServerResponse } from "node:http";

/** An answer of the engine other than success: `{ "message": … }` with a status, as dockerd writes it. */
export class EngineError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface Call {
  readonly method: string;
  /** Without the version prefix and the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

export type Reply =
  | { readonly status: number; readonly json?: unknown; readonly text?: string }
  | {
      readonly status: number;
      readonly type: string;
      readonly write: (out: NodeJS.WritableStream) => Promise<void>;
    };

export type Handler = (call: Call) => Promise<Reply> | Reply;

export interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly handler: Handler;
}

/** `/images/:name+/json`: `:x` is one path segment, `:x+` one or more. */
export function route(method: string, path: string, handler: Handler): Route {
  const source = path.replace(
    /:(\w+)(\+?)/g,
    (_, name: string, many: string) => `(?<${name}>${many === "+" ? ".+" : "[^/]+"})`,
  );
  return { method, pattern: new RegExp(`^${source}$`), handler };
}

export const MAX_API = "1.41";

const tooNew = (version: string): boolean =>
  Number(version.split(".")[1] ?? "0") > Number(MAX_API.split(".")[1]);

/** Splits `/v1.41/info?x=1`; refuses versions above the engine's own. */
export function parseTarget(url: string): { path: string; query: URLSearchParams } {
  const { pathname, searchParams } = new URL(url, "http://docker");
  const versioned = /^\/v(?<version>\d+\.\d+)(?<rest>\/.*)$/.exec(pathname)?.groups;
  const version = versioned?.["version"];
  if (version !== undefined && tooNew(version)) {
    throw new EngineError(
      400,
      `client version ${version} is too new. Maximum supported API version is ${MAX_API}`,
    );
  }
  return { path: versioned?.["rest"] ?? pathname, query: searchParams };
}

export async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new EngineError(400, "invalid JSON in request body");
  }
}

const HEADERS = { "Api-Version": MAX_API, Ostype: "linux", Server: "Docker/20.10.24 (linux)" };

export async function send(response: ServerResponse, reply: Reply): Promise<void> {
  if ("write" in reply) {
    response.writeHead(reply.status, { ...HEADERS, "Content-Type": reply.type });
    response.flushHeaders();
    await reply.write(response);
    response.end();
    return;
  }
  const json = reply.json !== undefined;
  const type = json ? "application/json" : "text/plain; charset=utf-8";
  response.writeHead(reply.status, {
    ...HEADERS,
    ...(reply.status === 204 || reply.status === 304 ? {} : { "Content-Type": type }),
  });
  response.end(json ? `${JSON.stringify(reply.json)}\n` : (reply.text ?? ""));
}

/** Runs the first route that matches; throws the engine's own 404 when none does. */
export async function dispatch(routes: readonly Route[], call: Omit<Call, "params">): Promise<Reply> {
  const method = call.method === "HEAD" ? "GET" : call.method;
  for (const { method: wanted, pattern, handler } of routes) {
    const match = method === wanted ? pattern.exec(call.path) : null;
    if (match === null) continue;
    const params = Object.fromEntries(
      Object.entries(match.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)]),
    );
    return await handler({ ...call, params });
  }
  throw new EngineError(404, "page not found");
}

/** A frame of the engine's log stream: one byte for the stream, the length in bytes 4 to 7. */
export function frame(stream: 1 | 2, data: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt8(stream, 0);
  header.writeUInt32BE(data.length, 4);
  return Buffer.concat([header, data]);
}

export const isTrue = (text: string | null): boolean =>
  text !== null && ["1", "true", "True", "TRUE"].includes(text);
