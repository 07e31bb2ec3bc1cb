import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Call, Handler, Reply, Route } from "./call";
import { ApiError, notFound } from "./errors";
import type { Fault, Faults } from "./faults";
import { type LoggedRequest, loggedBody } from "./log";
import type { RateLimit } from "./rate-limit";
import type { World } from "./world";

export interface ApiOptions {
  readonly world: World;
  readonly routes: readonly Route[];
  readonly token: string;
  readonly faults: Faults;
  readonly rateLimit: RateLimit;
  readonly requests: LoggedRequest[];
  /** Runs after every request that may have changed something. */
  readonly changed: () => Promise<void>;
}

interface Compiled {
  readonly method: string;
  readonly pattern: RegExp;
  readonly handler: Handler;
}

const compile = ([text, handler]: Route): Compiled => {
  const [method = "", path = ""] = text.split(" ");
  return { method, pattern: new RegExp(`^${path.replace(":id", "(\\d+)")}$`), handler };
};

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ApiError(400, { code: "json_error", message: "invalid JSON in request body" });
  }
}

const errorReply = (error: unknown): Reply => {
  if (error instanceof ApiError) {
    const { code, message, details } = error;
    return { status: error.status, body: { error: { code, message, details } } };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { status: 500, body: { error: { code: "server_error", message, details: null } } };
};

/** The HTTP side of the simulated API. */
export class Api {
  private readonly options: ApiOptions;
  private readonly routes: readonly Compiled[];
  private readonly server: Server;

  constructor(options: ApiOptions) {
    this.options = options;
    this.routes = options.routes.map(compile);
    this.server = createServer((request, response) => {
      this.serve(request, response).catch((error: unknown) => {
        process.emitWarning(
          `simulated Hetzner: ${request.method ?? ""} ${request.url ?? ""}: ${String(error)}`,
        );
        response.destroy();
      });
    });
  }

  /** Listens on a free loopback port; gives the base URL. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once("error", reject);
      this.server.listen(0, "127.0.0.1", resolve);
    });
    const address = this.server.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    return `http://127.0.0.1:${port}/v1`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    const path = url.pathname.replace(/^\/v1/, "").replace(/\/$/, "");
    const method = request.method ?? "GET";
    response.on("error", () => response.destroy());
    let body: unknown;
    let broken: Error | undefined;
    try {
      body = await readBody(request);
    } catch (error) {
      broken = error as Error;
    }
    const entry: LoggedRequest = {
      method,
      path,
      query: url.search,
      body: loggedBody(body),
      at: new Date().toISOString(),
      status: 0,
    };
    this.options.requests.push(entry);
    const fault = this.options.faults.take(method, path);
    if (fault?.drop === "before") response.destroy();
    if (fault?.hang === "before" || fault?.drop === "before") return;
    const carryOut = (): Reply => {
      if (broken !== undefined) throw broken;
      this.authorize(request);
      return this.handle({ method, path, query: url.searchParams, body, fault });
    };
    const reply = await this.decide(carryOut, fault);
    if (method !== "GET") await this.options.changed();
    await this.answer(reply, { response, entry, fault });
  }

  private async decide(carryOut: () => Reply, fault: Fault | undefined): Promise<Reply> {
    if (fault?.status !== undefined) {
      const { status, code, message = code } = fault;
      if (code === undefined) return { status };
      return errorReply(new ApiError(status, { code, message: message ?? code }));
    }
    try {
      return carryOut();
    } catch (error) {
      return errorReply(error);
    } finally {
      this.options.world.actions.fault = undefined;
    }
  }

  private authorize(request: IncomingMessage): void {
    const given = /^Bearer (\S{64})$/.exec(request.headers.authorization ?? "")?.[1];
    if (given !== this.options.token) {
      throw new ApiError(401, { code: "unauthorized", message: "unable to authenticate" });
    }
    if (!this.options.rateLimit.take()) {
      throw new ApiError(429, { code: "rate_limit_exceeded", message: this.options.rateLimit.message });
    }
  }

  private handle(
    asked: Omit<Call, "world" | "id"> & { method: string; path: string; fault: Fault | undefined },
  ): Reply {
    const { world } = this.options;
    const matches = this.routes.filter(({ pattern }) => pattern.test(asked.path));
    const route = matches.find(({ method }) => method === asked.method);
    if (route === undefined) {
      if (matches.length === 0) throw notFound("page", asked.path);
      throw new ApiError(405, { code: "method_not_allowed", message: "method not allowed" });
    }
    const id = Number(route.pattern.exec(asked.path)?.[1] ?? 0);
    world.actions.fault = asked.fault;
    return route.handler({ world, id, query: asked.query, body: asked.body });
  }

  private async answer(
    reply: Reply,
    { response, entry, fault }: { response: ServerResponse; entry: LoggedRequest; fault: Fault | undefined },
  ): Promise<void> {
    await fault?.beforeAnswer?.(entry);
    if (fault?.delayMs !== undefined) await sleep(fault.delayMs);
    if (fault?.hang === "after") return;
    if (fault?.drop === "after") {
      response.destroy();
      return;
    }
    entry.status = reply.status;
    const headers = {
      "X-Correlation-Id": randomBytes(8).toString("hex"),
      ...this.options.rateLimit.headers(),
    };
    const isJson = reply.body !== undefined;
    response.writeHead(reply.status, isJson ? { ...headers, "Content-Type": "application/json" } : headers);
    response.end(isJson ? JSON.stringify(reply.body) : undefined);
  }
}
