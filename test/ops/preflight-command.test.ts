/** `talos-fleet preflight` as people run it: fake engines on real sockets, real context folders, whole output. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createPort, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { stringify } from "yaml";
import { writeContext } from "./docker-context";

jest.setTimeout(30_000);

const checkout = resolve(__dirname, "../..");
let home: string;
const servers: Server[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pf-"));
});

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  rmSync(home, { recursive: true, force: true });
});

function write(path: string, text: string): void {
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
async function engine(recorded: Recorded = {}, name = "docker.sock"): Promise<string> {
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
  await new Promise<void>((listening) => server.listen(join(home, name), listening));
  return `unix://${join(home, name)}`;
}

/** The committed lab's stack file with other keys, in a folder of its own; ports that nobody here uses. */
function stackFile(keys: Record<string, unknown> = {}, docker: Record<string, unknown> = {}): string {
  const config = {
    platform: "docker",
    talosVersion: "v1.13.10",
    kubernetesVersion: "1.35.8",
    talosContract: "v1.13",
    schematic: { customization: {} },
    controlPlanes: { count: 1 },
    workers: [{ name: "worker", count: 1 }],
    docker: { talosPort: 29_470, kubernetesPort: 29_480, ...docker },
    ...keys,
  };
  const file = join(home, "Pulumi.lab.yaml");
  const named = Object.entries(config).map(([key, value]) => [`talos-fleet:${key}`, value]);
  write(file, stringify({ config: Object.fromEntries(named) as unknown }));
  return file;
}

interface Outcome {
  readonly code: number;
  readonly lines: string[];
  readonly errors: string;
}

function preflight(file: string, env: Record<string, string> = {}, ...flags: string[]): Promise<Outcome> {
  const args = [join(checkout, "bin/talos-fleet"), "preflight", file, ...flags];
  const own = { PATH: process.env["PATH"] ?? "", HOME: home, ...env };
  return new Promise((done) => {
    execFile(process.execPath, args, { env: own }, (error, stdout, errors) => {
      const code = error === null ? 0 : Number(error.code);
      done({ code, lines: stdout.replaceAll(home, "HOME").trimEnd().split("\n"), errors });
    });
  });
}

test("an engine that can run the lab", async () => {
  const host = await engine();
  expect(await preflight(stackFile(), { DOCKER_HOST: host })).toEqual({
    code: 0,
    errors: "",
    lines: [
      "Docker engine unix://HOME/docker.sock (DOCKER_HOST)",
      "HOME/Pulumi.lab.yaml: nothing stops `up`",
    ],
  });
});

test("no Docker at all: one screen, what to install, and what needs none", async () => {
  const file = stackFile({}, { host: `unix://${home}/none.sock` });
  const { code, lines } = await preflight(file);
  expect(code).toBe(1);
  expect(lines).toEqual([
    "Docker engine unix://HOME/none.sock (docker.host)",
    "stop  Docker engine",
    "      seen: unix://HOME/none.sock (docker.host): connect ENOENT HOME/none.sock",
    "      why:  the lab's nodes are containers",
    "      do:   Linux:   sudo systemctl start docker; to install it: https://docs.docker.com/engine/install/",
    "            macOS:   colima start --memory 6 (brew install colima docker), or open Docker Desktop",
    "            Windows: Docker Desktop with WSL2",
    "            another engine: docker.host or docker.context in the stack file, DOCKER_HOST, docker context use",
    "            `make demo` needs no Docker",
    "HOME/Pulumi.lab.yaml: `up` would fail",
  ]);
});

test("all findings of one engine at once, with a free subnet and free ports", async () => {
  const listener = createPort().listen(0, "127.0.0.1");
  await new Promise((listening) => listener.once("listening", listening));
  const { port } = listener.address() as AddressInfo;
  const host = await engine({
    info: {
      OperatingSystem: "Ubuntu 24.04.2 LTS",
      CgroupVersion: "1",
      SecurityOptions: ["name=seccomp,profile=builtin", "name=rootless"],
      MemTotal: 2 * 1024 ** 3,
      BridgeNfIptables: false,
    },
    networks: [{ Name: "kind", Id: "4", Driver: "bridge", IPAM: { Config: [{ Subnet: "10.5.0.0/16" }] } }],
    containers: [
      {
        Id: "c1",
        Names: ["/kind-control-plane"],
        Labels: {},
        Ports: [{ IP: "127.0.0.1", PrivatePort: 6443, PublicPort: 29_471, Type: "tcp" }],
      },
    ],
  });
  const { code, lines } = await preflight(stackFile({}, { kubernetesPort: port }), { DOCKER_HOST: host });
  listener.close();
  expect(code).toBe(1);
  expect(lines.filter((line) => /^(stop|warn)/.test(line))).toEqual([
    "stop  rootless engine",
    "stop  cgroup v2",
    "stop  br_netfilter",
    "stop  subnet",
    "stop  port",
    "stop  port",
    "stop  memory",
  ]);
  expect(lines.filter((line) => line.includes("set docker.")).map((line) => line.trim())).toEqual([
    "do:   set docker.subnet to 10.6.0.0/24, or remove the other: docker network rm kind",
    "do:   set docker.talosPort to 29570, or stop the other program",
    expect.stringMatching(/^do: {3}set docker\.kubernetesPort to \d+, or stop the other program$/),
  ]);
  expect(lines).toContain("      seen: 29471 is in use by container kind-control-plane");
  expect(lines).toContain(`      seen: ${port} is in use`);
});

test("a lab that runs is no clash with itself", async () => {
  const host = await engine({
    networks: [{ Name: "lab", Id: "4", IPAM: { Config: [{ Subnet: "10.5.0.0/24" }] } }],
    containers: [
      {
        Id: "c1",
        Names: ["/lab-controlplane-1"],
        Labels: { "talos.cluster.name": "lab" },
        Ports: [{ IP: "127.0.0.1", PrivatePort: 50_000, PublicPort: 29_470, Type: "tcp" }],
      },
    ],
  });
  expect(await preflight(stackFile(), { DOCKER_HOST: host })).toMatchObject({ code: 0 });
});

test("a warning does not stop", async () => {
  const host = await engine({ info: { BridgeNfIptables: undefined } });
  const { code, lines } = await preflight(stackFile(), { DOCKER_HOST: host });
  expect(code).toBe(0);
  expect(lines[1]).toBe("warn  br_netfilter");
  expect(lines.at(-1)).toBe("HOME/Pulumi.lab.yaml: nothing stops `up`, 1 warning");
});

test("as JSON", async () => {
  const host = await engine({ info: { CgroupVersion: "1" } });
  const { code, lines } = await preflight(stackFile(), { DOCKER_HOST: host }, "--json");
  expect(code).toBe(1);
  expect(JSON.parse(lines.join("\n"))).toMatchObject({
    ok: false,
    about: "Docker engine unix://HOME/docker.sock (DOCKER_HOST)",
    findings: [{ level: "stop", what: "cgroup v2", seen: "cgroup version 1" }],
  });
});

test("a stack file with faults is bad input", async () => {
  const { code, errors } = await preflight(stackFile({ colour: "red" }));
  expect(code).toBe(2);
  expect(errors).toContain("colour");
  expect(await preflight(join(home, "lab.yaml"))).toMatchObject({ code: 2 });
});

test("a context that does not exist is a finding", async () => {
  const { code, lines } = await preflight(stackFile(), { DOCKER_CONTEXT: "nope" });
  expect(code).toBe(1);
  expect(lines.slice(0, 3)).toEqual([
    "Docker engine: none could be chosen",
    "stop  Docker engine",
    '      seen: DOCKER_CONTEXT: nope: there is no Docker context of this name; "docker context ls" lists those that exist',
  ]);
});

test("hetzner: what `up` would miss, and that the account is not asked", async () => {
  const file = join(checkout, "Pulumi.hetzner.yaml");
  const without = await preflight(file);
  expect(without.code).toBe(1);
  expect(without.lines[0]).toBe(
    "Hetzner account of hetzner: looked at the stack file and for a token; the account itself (limits, server types, capacity) is not asked",
  );
  const stops = (lines: string[]) =>
    lines.flatMap((line) => /^stop {2}([^:]+:?[^:]*): /.exec(line)?.[1] ?? []);
  expect(without.lines.filter((line) => line.startsWith("stop"))).toHaveLength(3);
  expect(stops(without.lines)).toContain("hcloud:token");
  const given = await preflight(file, { HCLOUD_TOKEN: "t".repeat(64) });
  expect(given.lines.filter((line) => line.startsWith("stop"))).toHaveLength(2);
  expect(given.lines.join("\n")).not.toContain("hcloud:token");
});

test("the engine that was chosen is the one that is asked", async () => {
  await engine({}, "colima.sock");
  writeContext({ folder: join(home, ".docker"), name: "colima", host: `unix://${home}/colima.sock` });
  write(join(home, ".docker/config.json"), JSON.stringify({ currentContext: "colima" }));
  const { code, lines } = await preflight(stackFile());
  expect({ code, first: lines[0] }).toEqual({
    code: 0,
    first: "Docker engine unix://HOME/colima.sock (current context colima)",
  });
});
