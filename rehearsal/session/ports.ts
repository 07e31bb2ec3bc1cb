import { randomInt } from "node:crypto";
import { createServer } from "node:net";

const TRIES = 50;

/** Whether this address and port can be listened on now. */
async function listenable(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** The first of `count` consecutive free ports on 127.0.0.1, below the range that the kernel hands out by itself. */
export async function freePortRange(count: number): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const first = randomInt(15_000, 32_000);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const free = await Promise.all(ports.map((port) => listenable("127.0.0.1", port)));
    if (free.every(Boolean)) return first;
  }
  throw new Error(`no ${count} consecutive free ports on 127.0.0.1 between 15000 and 32000`);
}

/** First three numbers of a /24 of loopback for "public" addresses, e.g. `127.43.7`; no other rehearsal listens there. */
export async function freePublicNetwork(): Promise<string> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const prefix = `127.${randomInt(20, 100)}.${randomInt(0, 256)}`;
    if (await listenable(`${prefix}.1`, 50_000)) return prefix;
  }
  throw new Error(
    "127.20.0.0/8: no address of loopback can be listened on; on macOS add aliases to lo0 first",
  );
}
