import { connect, createServer, type Server, type Socket } from "node:net";

/** A TCP listener that joins each connection with a backend of the moment. */
export interface Listener {
  readonly address: string;
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Where the next connection goes; undefined closes it. */
  readonly next: () => { readonly host: string; readonly port: number } | undefined;
}

function join(client: Socket, options: ListenOptions, sockets: Set<Socket>): void {
  const target = options.next();
  client.on("error", () => client.destroy());
  if (target === undefined) {
    client.destroy();
    return;
  }
  const upstream = connect(target);
  sockets.add(upstream);
  upstream.on("error", () => upstream.destroy());
  upstream.once("close", () => {
    sockets.delete(upstream);
    client.destroy();
  });
  client.once("close", () => upstream.destroy());
  client.pipe(upstream);
  upstream.pipe(client);
}

/** Listens; throws when the port is taken. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    sockets.add(client);
    client.once("close", () => sockets.delete(client));
    join(client, options, sockets);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  const bound = server.address();
  const port = bound !== null && typeof bound === "object" ? bound.port : options.port;
  const close = (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => {
      server.close(() => resolve());
    });
  };
  return { address: `${options.host}:${port}`, close };
}
