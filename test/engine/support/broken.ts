import { request } from "node:http";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

import type { Session } from "../../../rehearsal/session";

const POLL_MS = 2;

/** A container's process, from the moment it runs. */
async function processOf(session: Session, container: string): Promise<number> {
  for (;;) {
    const containers = [...(session.world.engine?.world.containers.values() ?? [])];
    const pid = containers.find(({ name }) => name === container)?.process?.pid;
    if (pid !== undefined) return pid;
    await pause(POLL_MS);
  }
}

/** Stops a node as soon as it runs: its ports accept and never answer. Gives what lets it go on. */
export async function freeze(session: Session, container: string): Promise<() => void> {
  const pid = await processOf(session, container);
  process.kill(pid, "SIGSTOP");
  return () => void process.kill(pid, "SIGCONT");
}

/** Takes a port of 127.0.0.1; gives what sets it free. */
export async function occupy(port: number): Promise<() => Promise<void>> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return async () => new Promise((resolve) => server.close(() => resolve()));
}

/** One request to the Docker engine, as another user of it would send. */
export async function askEngine(session: Session, call: string, body?: unknown): Promise<number> {
  const [method = "", path = ""] = call.split(" ");
  const options = { socketPath: session.world.engine?.socket ?? "", method, path: `/v1.41${path}` };
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, headers: { "Content-Type": "application/json" } }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
