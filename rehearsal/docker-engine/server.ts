import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { rmSync } from "node:fs";
import type { Socket } from "node:net";

import { requestFault, type EngineFaults } from "./faults";
import { dispatch, EngineError, parseTarget, readBody, send, type Reply, type Route } from "./http";

export interface EngineRequest {
  readonly method: string;
  readonly path: string;
}

interface ListenerOptions {
  readonly socket: string;
  readonly routes: readonly Route[];
  readonly faults: EngineFaults;
  readonly requests: EngineRequest[];
}

export interface Listener {
  close(): Promise<void>;
}

const HANG = Symbol("hang");

async function answer(
  options: ListenerOptions,
  request: IncomingMessage,
  signal: AbortSignal,
): Promise<Reply | typeof HANG> {
  const method = request.method ?? "GET";
  const { path, query } = parseTarget(request.url ?? "/");
  options.requests.push({ method, path });
  const body = await readBody(request);
  const fault = requestFault(options.faults, `${method} ${path}`);
  if (fault === "hang") return HANG;
  if (fault !== undefined) throw new EngineError(fault.status, fault.message);
  return await dispatch(options.routes, { method, path, query, body, signal });
}

const failure = (error: unknown): Reply => {
  const message = error instanceof Error ? error.message : String(error);
  return { status: error instanceof EngineError ? error.status : 500, json: { message } };
};

async function serve(
  options: ListenerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const reply = await answer(options, request, gone.signal).catch(failure);
  if (reply !== HANG) await send(response, reply);
}

/** `docker exec` and `attach` ask for the raw connection: the answer's bytes follow the 101 as they are. */
async function hijack(options: ListenerOptions, request: IncomingMessage, socket: Socket): Promise<void> {
  const reply = await answer(options, request, new AbortController().signal).catch(failure);
  if (reply === HANG) return;
  if ("write" in reply) {
    socket.write(
      `HTTP/1.1 101 UPGRADED\r\nContent-Type: ${reply.type}\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n`,
    );
    await reply.write(socket);
  } else {
    const text = JSON.stringify(reply.json ?? {});
    socket.write(
      `HTTP/1.1 ${reply.status} Error\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
    );
  }
  socket.end();
}

/** Serves the routes on a unix socket; close ends open connections too and removes the socket. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  rmSync(options.socket, { force: true });
  const server = createServer((request, response) => void serve(options, request, response));
  const raw = new Set<Socket>();
  server.on("upgrade", (request: IncomingMessage, socket: Socket) => {
    raw.add(socket);
    socket.once("close", () => raw.delete(socket));
    socket.on("error", () => undefined);
    void hijack(options, request, socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.socket, resolve);
  });
  return {
    close: async () => {
      for (const socket of raw) socket.destroy();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
