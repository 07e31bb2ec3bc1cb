/** Runs `talos-fleet preflight` as people do: fake engines on real sockets, a factory on loopback, stack files of a folder of its own. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { stringify } from "yaml";

export const checkout = resolve(__dirname, "../..");

/** A home folder, and an Image Factory that `factoryUrl` names; a test may name another. */
export const rig = { home: "", factoryUrl: "" };
const servers: Server[] = [];

/** Called by each test file: a new rig for every test. */
export function useRig(): void {
  jest.setTimeout(30_000);
  beforeEach(async () => {
    rig.home = mkdtempSync(join(tmpdir(), "pf-"));
    rig.factoryUrl = await factory();
  });
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
    rmSync(rig.home, { recursive: true, force: true });
  });
}

export function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Recorded from an engine of Debian 12 (20.10) on cgroup v2; what a test needs is laid over it. */
const INFO = {
  OperatingSystem: "Docker Desktop",
  OSType: "linux",
  KernelVersion: "6.12.72-linuxkit",
  CgroupVersion: "2",
  CgroupDriver: "cgroupfs",
  SecurityOptions: ["name=seccomp,profile=unconfined", "name=cgroupns"],
  MemTotal: 8_218_144_768,
  BridgeNfIptables: true,
  ServerVersion: "28.0.1",
};

const NETWORKS = [
  {
    Name: "bridge",
    Id: "1",
    Driver: "bridge",
    IPAM: { Driver: "default", Config: [{ Subnet: "172.17.0.0/16", Gateway: "172.17.0.1" }] },
  },
  { Name: "host", Id: "2", Driver: "host", IPAM: { Driver: "default", Config: null } },
  { Name: "none", Id: "3", Driver: "null", IPAM: { Driver: "default", Config: [] } },
];

interface Recorded {
  readonly info?: object;
  readonly networks?: readonly object[];
  readonly containers?: readonly object[];
}

/** Answers `/version`, `/info`, `/networks` and `/containers/json`; gives the host. */
export async function engine(recorded: Recorded = {}, name = "docker.sock"): Promise<string> {
  const answers: Record<string, unknown> = {
    "/version": { Version: "28.0.1", ApiVersion: "1.48" },
    "/info": { ...INFO, ...recorded.info },
    "/networks": [...NETWORKS, ...(recorded.networks ?? [])],
    "/containers/json": recorded.containers ?? [],
  };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://docker").pathname.replace(/^\/v[\d.]+/, "");
    const body = answers[path];
    response.writeHead(body === undefined ? 404 : 200, { "Content-Type": "application/json" });
    response.end(JSON.stringify(body ?? { message: "page not found" }));
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(join(rig.home, name), listening));
  return `unix://${join(rig.home, name)}`;
}

/** Serves JSON on loopback by path, and by name where one is asked for; gives the URL. */
export async function serve(
  answers: Readonly<Record<string, unknown>>,
  otherwise = { status: 404, code: "not_found" },
): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://served");
    const name = searchParams.get("name");
    const body = answers[name === null ? pathname : `${pathname}?name=${name}`];
    response.writeHead(body === undefined ? otherwise.status : 200);
    response.end(JSON.stringify(body ?? { error: { code: otherwise.code, message: "no" } }));
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An Image Factory's lists, as the public one answers them. */
const factory = (): Promise<string> =>
  serve({
    "/versions": ["v1.13.8", "v1.13.9", "v1.13.10"],
    "/version/v1.13.10/extensions/official": [
      { name: "siderolabs/gvisor", ref: "r", digest: "d" },
      { name: "siderolabs/iscsi-tools", ref: "r", digest: "d" },
      { name: "siderolabs/qemu-guest-agent", ref: "r", digest: "d" },
      { name: "siderolabs/util-linux-tools", ref: "r", digest: "d" },
    ],
    "/version/v1.13.10/overlays/official": [{ name: "rpi_generic", image: "i", ref: "r", digest: "d" }],
  });

/** The committed lab's stack file with other keys, in a folder of its own; ports that nobody here uses. */
export function stackFile(keys: Record<string, unknown> = {}, docker: Record<string, unknown> = {}): string {
  const config = {
    platform: "docker",
    talosVersion: "v1.13.10",
    kubernetesVersion: "1.35.8",
    talosContract: "v1.13",
    schematic: { customization: {} },
    controlPlanes: { count: 1 },
    workers: [{ name: "worker", count: 1 }],
    factoryUrl: rig.factoryUrl,
    docker: { talosPort: 29_470, kubernetesPort: 29_480, ...docker },
    ...keys,
  };
  const file = join(rig.home, "Pulumi.lab.yaml");
  const named = Object.entries(config).map(([key, value]) => [`talos-fleet:${key}`, value]);
  write(file, stringify({ config: Object.fromEntries(named) as unknown }));
  return file;
}

interface Outcome {
  readonly code: number;
  readonly lines: string[];
  readonly errors: string;
}

export function preflight(
  file: string,
  env: Record<string, string> = {},
  ...flags: string[]
): Promise<Outcome> {
  const args = [join(checkout, "bin/talos-fleet"), "preflight", file, ...flags];
  const own = { PATH: process.env["PATH"] ?? "", HOME: rig.home, ...env };
  return new Promise((done) => {
    execFile(process.execPath, args, { env: own }, (error, stdout, errors) => {
      const code = error === null ? 0 : Number(error.code);
      done({ code, lines: stdout.replaceAll(rig.home, "HOME").trimEnd().split("\n"), errors });
    });
  });
}
