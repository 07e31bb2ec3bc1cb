import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { type Account, until } from "./account";

/** The argument lines with which a server's node was started, oldest first. */
export function starts(account: Account, name: string): string[] {
  const file = account.hetzner.simnodeFor(name)?.logFile;
  if (file === undefined || !existsSync(file)) return [];
  return readFileSync(file, "utf8").trim().split("\n").filter(Boolean);
}

export const started = (account: Account, name: string, times: number): Promise<void> =>
  until(`${name} to start ${times} times`, () => starts(account, name).length === times);

export const pidOf = (account: Account, name: string): number => account.hetzner.simnodeFor(name)?.pid ?? 0;

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export const routes = (account: Account): Record<string, string> =>
  JSON.parse(readFileSync(join(account.dir, "routes.json"), "utf8")) as Record<string, string>;

/** What a TCP service says before it closes; the error's code when it cannot be reached. */
export const say = (address: string): Promise<string> =>
  new Promise((resolve) => {
    const [host = "", port = ""] = address.split(":");
    const socket = connect(Number(port), host);
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    socket.once("close", () => resolve(text));
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "error"));
  });
