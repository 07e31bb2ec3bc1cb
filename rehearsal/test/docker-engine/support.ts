import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startEngine, type EngineOptions, type SimulatedEngine } from "../../docker-engine";

/** Stands for simnode: says how it was started, listens for the Talos API, ends on SIGTERM like PID 1 of a node. */
const NODE_SCRIPT = `#!${process.execPath}
const [, , ...args] = process.argv;
const [host, port] = args[args.indexOf("--talos") + 1].split(":");
console.log("started " + JSON.stringify(args));
require("node:net").createServer((socket) => socket.end("talos")).listen(Number(port), host);
process.on("SIGTERM", () => process.exit(130));
process.on("SIGHUP", () => process.exit(129));
`;

export interface Rig {
  readonly engine: SimulatedEngine;
  readonly dir: string;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  end(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The parsed body; its shape is the test's business. */
  readonly json: never;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

export function callEngine(socketPath: string, { method, path, body }: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "Content-Type": "application/json" };
    const outgoing = request({ socketPath, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const isJson = response.headers["content-type"] === "application/json";
        resolve({
          status: response.statusCode ?? 0,
          text,
          json: (isJson ? JSON.parse(text) : undefined) as never,
        });
      });
      response.on("error", reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

export async function startRig(options: Partial<EngineOptions> = {}): Promise<Rig> {
  const dir = mkdtempSync(join(tmpdir(), "fleet-engine-"));
  const simnode = join(dir, "simnode");
  writeFileSync(simnode, NODE_SCRIPT);
  chmodSync(simnode, 0o755);
  const engine = await startEngine({
    dir: join(dir, "e"),
    simnode,
    images: ["ghcr.io/siderolabs/talos:v1.13.10"],
    ...options,
  });
  return {
    engine,
    dir,
    call: (method, path, body) => callEngine(engine.socket, { method, path: `/v1.41${path}`, body }),
    end: async () => {
      await engine.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** What answers on a port of this machine; undefined when nothing listens. */
export function dial(port: number, host = "127.0.0.1"): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    let text = "";
    socket.on("data", (data) => (text += data.toString()));
    socket.on("end", () => resolve(text));
    socket.on("error", () => resolve(undefined));
  });
}

/** Polls until the check gives something; fails after five seconds. */
export async function eventually<T>(check: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 200; tries += 1) {
    const found = await check();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("did not happen within five seconds");
}

export const TALOS_IMAGE = "ghcr.io/siderolabs/talos:v1.13.10";

/** The lab's network as the docker plugin asks for it. */
export const labNetwork = (name = "lab", subnet = "10.5.0.0/24") => ({
  Name: name,
  Driver: "bridge",
  Labels: { "talos.owned": "true" },
  IPAM: { Driver: "default", Config: [{ Subnet: subnet, Gateway: subnet.replace(/0\/\d+$/, "1") }] },
});

export interface NodeBody {
  readonly talosPort: number;
  readonly volume?: string;
  readonly restart?: string;
}

export const nodeBody = (hostname: string, { talosPort, volume, restart = "unless-stopped" }: NodeBody) => ({
  Image: TALOS_IMAGE,
  Hostname: hostname,
  Labels: { "talos.owned": "true", "talos.type": "worker" },
  ExposedPorts: { "50000/tcp": {} },
  StopTimeout: 30,
  HostConfig: {
    Privileged: true,
    Memory: 2048 * 2 ** 20,
    RestartPolicy: { Name: restart },
    SecurityOpt: ["seccomp=unconfined"],
    PortBindings: { "50000/tcp": [{ HostIp: "127.0.0.1", HostPort: String(talosPort) }] },
    Mounts: [
      { Type: "tmpfs", Target: "/run" },
      { Type: "volume", Target: "/var", Source: volume ?? `${hostname}-var` },
      { Type: "volume", Target: "/opt" },
    ],
  },
});

/** Creates, connects and starts a node as the docker plugin does; gives its id. */
export async function runNode(
  rig: Rig,
  hostname: string,
  options: NodeBody & { address: string; network?: string },
): Promise<string> {
  const network = options.network ?? "lab";
  const { Id: id } = (
    await rig.call("POST", `/containers/create?name=${hostname}`, nodeBody(hostname, options))
  ).json as { Id: string };
  await rig.call("POST", "/networks/bridge/disconnect", { Container: id });
  const config = { IPAMConfig: { IPv4Address: options.address } };
  await rig.call("POST", `/networks/${network}/connect`, { Container: id, EndpointConfig: config });
  const started = await rig.call("POST", `/containers/${id}/start`);
  if (started.status !== 204) throw new Error(started.text);
  return id;
}

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = server.address() as { port: number };
      server.close(() => resolve(free));
    });
  });

export interface Inspected {
  readonly State: { Status: string; Running: boolean; ExitCode: number; Pid: number; Error: string };
  readonly RestartCount: number;
  readonly HostConfig: {
    SecurityOpt: string[];
    MemorySwap: number;
    RestartPolicy: { Name: string };
    Memory: number;
  };
  readonly NetworkSettings: {
    Ports: object;
    Networks: Record<string, { IPAddress: string; MacAddress: string; IPAMConfig: object }>;
  };
  readonly Config: { StopTimeout: number };
}

export const inspectContainer = async (rig: Rig, id: string): Promise<Inspected> =>
  (await rig.call("GET", `/containers/${id}/json`)).json;

/** Status and message of a refusal. */
const refusalOf = ({ status, json }: Answer): string => `${status} ${(json as { message: string }).message}`;

export interface TestRig extends Rig {
  /** Free on this machine: for a node's Talos API. */
  readonly port: number;
  inspect(id: string): Promise<Inspected>;
  /** What is asked for is refused: with which status and message. */
  refusal(method: string, path: string, body?: unknown): Promise<string>;
}

/** A new engine for each test of the file that calls this. */
export function rigForEachTest(): TestRig {
  const rig = {
    inspect: (id) => inspectContainer(rig, id),
    refusal: async (method, path, body) => refusalOf(await rig.call(method, path, body)),
  } as TestRig;
  beforeEach(async () => void Object.assign(rig, await startRig(), { port: await freePort() }));
  afterEach(() => rig.end());
  return rig;
}
