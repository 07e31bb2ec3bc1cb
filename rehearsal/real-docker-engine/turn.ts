import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A socket without a file, known in this machine's network alone, that goes with its process however that ends. */
const NAME = "\0talos-fleet-real-engine";
const POLL_MS = 500;

/**
 * Waits until no other engine of ours runs here; call what it gives when yours has ended. An engine that ends puts the
 * machine's packet rules back, which cuts off the containers of another one. Throws when `limitMs` have passed.
 */
export async function waitForTurn(limitMs: number, name = NAME): Promise<() => Promise<void>> {
  const until = Date.now() + limitMs;
  for (;;) {
    const leave = await listen(name);
    if (leave !== undefined) return leave;
    if (Date.now() > until)
      throw new Error("another real engine of a rehearsal has not ended on this machine");
    await sleep(POLL_MS);
  }
}

function listen(name: string): Promise<(() => Promise<void>) | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer().unref();
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(undefined) : reject(error),
    );
    server.listen(name, () =>
      resolve(
        () =>
          new Promise((done) => {
            server.close(() => done());
          }),
      ),
    );
  });
}
