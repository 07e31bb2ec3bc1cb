/** A socket in front of an engine's own that shows each request as it passes. */
import { connect, createServer } from "node:net";
import type { Socket } from "node:net";

export interface WatchedSocket {
  /** `unix://…` to use in the engine's stead. */
  readonly host: string;
  /** Called with `POST /v1.47/networks/create` once the request is on its way to the engine. */
  onRequest: ((line: string) => void) | undefined;
  stop(): Promise<void>;
}

/** A client writes a request's head in one piece. */
const REQUEST_LINE = /^(GET|HEAD|POST|PUT|DELETE) (\S+) HTTP\/1\.1\r\n/;

export async function watchedSocket(path: string, engine: string): Promise<WatchedSocket> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ path: engine.slice("unix://".length), allowHalfOpen: true });
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.once("close", () => open.delete(socket));
      socket.on("error", () => [client, upstream].forEach((end) => end.destroy()));
    }
    client.pipe(upstream).pipe(client);
    client.on("data", (chunk: Buffer) => {
      const [, method, target] = REQUEST_LINE.exec(chunk.toString("latin1", 0, 2048)) ?? [];
      if (method !== undefined) watched.onRequest?.(`${method} ${target ?? ""}`);
    });
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(path, resolve));
  const watched: WatchedSocket = {
    host: `unix://${path}`,
    onRequest: undefined,
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      open.forEach((socket) => socket.destroy());
      await closed;
    },
  };
  return watched;
}
