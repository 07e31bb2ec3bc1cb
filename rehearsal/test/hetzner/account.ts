import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ActionBody, Body } from "./bodies";
import { type Hetzner, type HetznerOptions, startHetzner } from "../../hetzner";

export const token = "t".repeat(64);

/** Stands for simnode: logs its arguments and listens where `--talos` and `--kubernetes` say. */
const fakeNode = `#!/usr/bin/env node
const net = require("node:net");
const args = process.argv.slice(2);
console.log(args.join(" "));
const after = (flag) => args[args.indexOf(flag) + 1];
for (const flag of ["--talos", "--kubernetes"]) {
  const [host, port] = after(flag).split(":");
  net.createServer((socket) => { socket.on("error", () => {}); socket.end(after("--name")); }).listen(Number(port), host);
}
`;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface Account {
  readonly hetzner: Hetzner;
  readonly dir: string;
  readonly simnode: string;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** The same with another token. */
  as(bearer: string): Account["call"];
  /** Sends a request that must succeed and waits for all its actions; gives the body. */
  done(method: string, path: string, body?: unknown): Promise<Body>;
  waitFor(id: number): Promise<ActionBody>;
  close(): Promise<void>;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks until the answer is true; fails after twenty seconds. */
export async function until(what: string, test: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1000; tries += 1) {
    if (await test()) return;
    await pause(20);
  }
  throw new Error(`waited in vain: ${what}`);
}

function actionsOf(body: Partial<Body> | undefined): ActionBody[] {
  const own = body?.action ?? null;
  return [...(own === null ? [] : [own]), ...(body?.actions ?? []), ...(body?.next_actions ?? [])];
}

/** A simulated account in a folder of its own. */
export async function openAccount(options: Partial<HetznerOptions> = {}): Promise<Account> {
  const home = mkdtempSync(join(tmpdir(), "hetzner-"));
  const simnode = join(home, "simnode");
  writeFileSync(simnode, fakeNode);
  chmodSync(simnode, 0o755);
  const dir = join(home, "account");
  const hetzner = await startHetzner({
    dir,
    simnode,
    token,
    publicNetwork: `127.${60 + (process.pid % 100)}.${Math.floor(Math.random() * 250)}`,
    talosVersion: "v1.13.10",
    schematicId: "613e1592b2da41ae5e265e8789429f22e121aab91cb4deb6bc3c0b6262961245",
    actionMs: 5,
    bootDelayMs: 60,
    healthMs: 30,
    ...options,
  });
  const as: Account["as"] = (bearer) => async (method, path, body) => {
    const init: RequestInit = { method, headers: { Authorization: `Bearer ${bearer}` } };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(`${hetzner.url}${path}`, init);
    const text = await response.text();
    // Only 204 and bare gateway errors have no body, and then no test reads one.
    const parsed = (text === "" ? undefined : JSON.parse(text)) as Body;
    return { status: response.status, headers: response.headers, body: parsed };
  };
  const call = as(token);
  const waitFor: Account["waitFor"] = async (id) => {
    for (;;) {
      const { body } = await call("GET", `/actions/${id}`);
      if (body.action.status !== "running") return body.action;
      await pause(5);
    }
  };
  const done: Account["done"] = async (method, path, body) => {
    const answer = await call(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    for (const { id } of actionsOf(answer.body)) {
      const ended = await waitFor(id);
      if (ended.status !== "success") throw new Error(`${method} ${path}: ${JSON.stringify(ended.error)}`);
    }
    return answer.body;
  };
  const close = async (): Promise<void> => {
    await hetzner.stop();
    rmSync(home, { recursive: true, force: true });
  };
  return { hetzner, dir, simnode, call, as, done, waitFor, close };
}

/** A network with one subnet; gives its id. */
export async function makeNetwork(account: Account, name = "fleet"): Promise<number> {
  const { network } = await account.done("POST", "/networks", { name, ip_range: "10.0.0.0/16" });
  const subnet = { type: "cloud", ip_range: "10.0.1.0/24", network_zone: "eu-central" };
  await account.done("POST", `/networks/${network.id}/actions/add_subnet`, subnet);
  return network.id;
}

/** A server with Talos, attached when `network` is given; gives its id. */
export async function makeServer(
  account: Account,
  wanted: { name: string; network?: number; ip?: string } & Record<string, unknown>,
): Promise<number> {
  const { network, ip, ...rest } = wanted;
  const body = { server_type: "cpx22", image: account.hetzner.snapshotId, location: "nbg1", ...rest };
  const { server } = await account.done("POST", "/servers", body);
  if (network !== undefined) {
    await account.done("POST", `/servers/${server.id}/actions/attach_to_network`, { network, ip });
  }
  return server.id;
}

/** The body of a server's create that nothing is wrong with, but for what is given. */
export const serverBody = (more: object) => ({
  name: "other",
  server_type: "cpx22",
  image: "debian-13",
  location: "nbg1",
  ...more,
});
