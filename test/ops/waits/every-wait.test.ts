/** Every wait fails on both platforms: what never comes is named, in words, with what the platform has to say of it. */
import { createServer as createHttp } from "node:http";
import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import type { MachinesInput, NodeInput } from "../../../agreed/operations";
import { withTalosctl } from "../../../ops/clients/talosctl";
import { foundEtcd } from "../../../ops/bootstrap/run";
import { liveMachines } from "../../../ops/platforms/select";
import { waitNode } from "../../../ops/wait/node";
import { waitKubernetesApi, waitReady } from "../../../ops/wait/run";
import { explained } from "../../../ops/waits/explain";
import {
  type Cluster,
  kubeconfigFor,
  startCluster,
} from "../../../rehearsal/test/plugins/kubernetes/cluster";
import { fakeContext, type FakeTalosctl, fakeTalosctl, machineStatus, memberTable, service } from "./fakes";

jest.setTimeout(60_000);

const CP = "lab-controlplane-1";
const limits = { talosApi: 3, etcd: 3, kubernetesApi: 3, nodesReady: 3, coreDns: 3 };
const REFUSED =
  'E1122 12:18:38.387137 8162 run.go:74] "command failed" err="failed to parse kubelet flag: unknown flag: --x"';
const DEPLOYMENT = "/apis/apps/v1/namespaces/kube-system/deployments/coredns";

let talosctl: FakeTalosctl;
let cluster: Cluster;
let port: Server;
let engine: Server;
let node: NodeInput;
/** What the engine has, and what it says of a node's log. */
let containers: object[];

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });

beforeEach(async () => {
  talosctl = fakeTalosctl();
  cluster = await startCluster();
  port = createServer((socket) => socket.end());
  node = { name: CP, role: "controlplane", address: "10.5.0.2", endpoint: `127.0.0.1:${await listen(port)}` };
  containers = [{ Names: [`/${CP}`], State: "running", Status: "Up" }];
  engine = createHttp((request, response) => {
    const isLog = request.url?.includes(`/containers/${CP}/logs`) === true;
    const text = 'booting\nfailed to set up /etc overlay key="lowerdir+"\n';
    const header = Buffer.alloc(8);
    header.writeUInt32BE(text.length, 4);
    response.end(isLog ? Buffer.concat([header, Buffer.from(text)]) : JSON.stringify(containers));
  });
});

afterEach(async () => {
  talosctl.end();
  await cluster.stop();
  port.close();
  engine.close();
});

/** Everything as it should be; each case takes one thing away. */
function whole(): void {
  talosctl.answer("get machinestatus", machineStatus("10.5.0.2", "running"));
  talosctl.answer("etcd members", memberTable(CP));
  talosctl.answer("service etcd", service("10.5.0.2", "Running", "OK"));
  talosctl.answer("service kubelet", service("10.5.0.2", "Running", "OK"));
  for (const name of ["etcd", "kubelet", "machined"])
    talosctl.answer(`logs ${name}`, `10.5.0.2: ${name} says\n10.5.0.2: ${REFUSED}\n`);
  cluster.objects.set("/readyz", {});
  const status = { conditions: [{ type: "Ready", status: "True" }], nodeInfo: { kubeletVersion: "v1.35.8" } };
  cluster.objects.set("/api/v1/nodes", { items: [{ metadata: { name: CP }, status }] });
  cluster.objects.set(DEPLOYMENT, { spec: { replicas: 1 }, status: { readyReplicas: 1 } });
}

const machinesOf = async (platform: MachinesInput["platform"]): Promise<MachinesInput> =>
  platform === "docker"
    ? { platform, engine: { host: `tcp://127.0.0.1:${await listen(engine)}` } }
    : { platform };

type Run = (machines: MachinesInput, context: ReturnType<typeof fakeContext>) => Promise<unknown>;

const access = () => ({ kubeconfig: cluster.kubeconfig, talosconfig: "context: lab", limits });
const ready: Run = (machines, context) =>
  waitReady(
    {
      ...access(),
      machines,
      nodes: [{ ...node, machine: "1" }],
      kubernetesVersion: "1.35.8",
      expect: { nodesReady: true, coreDns: true },
      configs: "x",
    },
    context,
  );
const api: Run = (machines, context) =>
  waitKubernetesApi(
    { ...access(), machines, controlPlanes: [{ name: CP, address: node.address, endpoint: node.endpoint }] },
    context,
  );
const gate: Run = (machines, context) =>
  waitNode(
    {
      ...{ container: "new", node, controlPlanes: [node], talosVersion: "v1.13.10", ready: true },
      ...{ talosconfig: "context: lab", limits, machines },
    },
    "old\n",
    context,
  );
const founding: Run = (input, context) =>
  explained(
    { machines: liveMachines(input, { talosconfig: "context: lab", nodes: [node] }), nodes: [node] },
    () =>
      withTalosctl("context: lab", (real) =>
        foundEtcd({ talosctl: real, controlPlanes: [node], limits }, context),
      ),
  );

const noPort = () => void (node = { ...node, endpoint: "127.0.0.1:1" });
const noEtcd = () => talosctl.answer("service etcd", service("10.5.0.2", "Running", "Fail"));
const booting = () => talosctl.answer("get machinestatus", machineStatus("10.5.0.2", "booting"));
const installing = () => talosctl.answer("get machinestatus", machineStatus("10.5.0.2", "installing"));
const unfounded = () => {
  talosctl.answer("etcd members", "");
  talosctl.answer("service etcd", service("10.5.0.2", "Preparing", "?"));
};

const CASES: readonly (readonly [wait: string, run: Run, loss: () => void, message: RegExp])[] = [
  [
    "ready: Talos API",
    ready,
    noPort,
    /^Talos API: not reached within 3 s\n {2}lab-controlplane-1: last seen: connect ECONNREFUSED/,
  ],
  [
    "ready: config",
    ready,
    installing,
    /^config accepted: not .*\n {2}lab-controlplane-1: last seen: stage installing/,
  ],
  [
    "ready: etcd",
    ready,
    noEtcd,
    /^etcd: not .*\n {2}lab-controlplane-1: last seen: etcd service Running, health Fail/,
  ],
  [
    "ready: Kubernetes API",
    ready,
    () => cluster.objects.delete("/readyz"),
    /^Kubernetes API: not .*\n {2}lab-controlplane-1: last seen: kubelet runs, kube-apiserver is not there yet\n {2}https:.*\/readyz answers 404/,
  ],
  [
    "ready: nodes",
    ready,
    () => cluster.objects.set("/api/v1/nodes", { items: [] }),
    /^nodes Ready: not .*\n {2}lab-controlplane-1: last seen: not registered/,
  ],
  [
    "ready: CoreDNS",
    ready,
    () => cluster.objects.delete(DEPLOYMENT),
    /^CoreDNS: not .*\n {2}CoreDNS: last seen: .*answers 404/,
  ],
  [
    "kubernetes-api",
    api,
    () => cluster.objects.delete("/readyz"),
    /^Kubernetes API: not .*\n {2}lab-controlplane-1: last seen: kubelet runs/,
  ],
  [
    "kubernetes-api: schema",
    api,
    () => void (cluster.ready = false),
    /^Kubernetes API's schema: not .*\n {2}\/openapi\/v2: last seen: answers 503/,
  ],
  [
    "node: Talos API",
    gate,
    noPort,
    /^Talos API: not .*\n {2}lab-controlplane-1: last seen: connect ECONNREFUSED/,
  ],
  [
    "node",
    gate,
    booting,
    /^node lab-controlplane-1: not .*\n {2}lab-controlplane-1: last seen: stage booting/,
  ],
  [
    "node: etcd",
    gate,
    noEtcd,
    /^etcd: not .*\n {2}lab-controlplane-1: last seen: etcd service Running, health Fail/,
  ],
  ["bootstrap: Talos API", founding, noPort, /^Talos API: not .*\n {2}lab-controlplane-1/],
  ["bootstrap: config", founding, installing, /^config accepted: not .*\n {2}lab-controlplane-1/],
  ["bootstrap", founding, unfounded, /^bootstrap: not .*\n {2}lab-controlplane-1: last seen: rpc error/],
  [
    "bootstrap: etcd",
    founding,
    noEtcd,
    /^etcd: not .*\n {2}lab-controlplane-1: last seen: etcd service Running, health Fail/,
  ],
];

const failure = async (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => "it came",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

describe.each(["docker", "hetzner"] as const)("%s", (platform) => {
  test.each(CASES)("%s never comes", async (_wait, ...[run, loss, message]) => {
    whole();
    loss();
    const told = await failure(run(await machinesOf(platform), fakeContext()));
    expect(told).toMatch(message);
    if (platform === "docker") {
      expect(told).toContain(`${CP}: the last lines of its log:\n  | booting`);
      expect(told).toContain("  cause: this Talos needs Linux 6.15");
    } else {
      expect(told).toMatch(new RegExp(`^${CP}: the last lines of its log:\n(  .*\n)?  \\| \\w+ says$`, "m"));
      expect(told).toContain("  cause: the kubelet refuses one of its arguments");
    }
  });

  test.each([
    ["ready", ready],
    ["kubernetes-api", api],
    ["node", gate],
    ["bootstrap", founding],
  ] as const)("%s comes where all is well", async (_wait, run) => {
    whole();
    expect(await failure(run(await machinesOf(platform), fakeContext()))).toBe("it came");
  });
});

test.each([
  ["ready", ready],
  ["kubernetes-api", api],
  ["node", gate],
])("a lab's container that is dead ends %s early", async (_wait, run) => {
  containers = [{ Names: [`/${CP}`], State: "exited", Status: "Exited (137)" }];
  cluster.objects.clear();
  talosctl.answer("get machinestatus", machineStatus("10.5.0.2", "booting"));
  const context = fakeContext();
  const told = await failure(run(await machinesOf("docker"), context));
  expect(told).toMatch(
    /given up, it cannot come\n {2}lab-controlplane-1: last seen: its container is stopped \(Exited \(137\)\)/,
  );
  expect(context.now()).toBeLessThan(2_000);
});

test.each([
  ["docker", "failed to find cgroup mounts"],
  ["docker", "failed to parse kubelet flag: unknown flag: --x"],
  ["hetzner", "failed to parse kubelet flag: unknown flag: --x"],
] as const)(
  "%s: a kubelet that can never start ends the wait for its API server early: %s",
  async (platform, says) => {
    await cluster.stop();
    const event = `Error running Containerd(kubelet), going to restart forever: task "kubelet" failed: exit code 1 (last log "E1202 19:17:47.123456 1234 run.go:72] ${says}")`;
    talosctl.answer("service kubelet", service("10.5.0.2", "Waiting", "?", event));
    const context = fakeContext();
    const told = await failure(api(await machinesOf(platform), context));
    expect(told).toContain(
      `Kubernetes API: given up, it cannot come\n  ${CP}: last seen: kubelet Waiting: Error running`,
    );
    expect(told).toContain(says);
    expect(told).toContain("  cause: ");
    expect(told).toContain("  do:    ");
    expect(context.lines.length).toBeLessThan(4);
    cluster = await startCluster();
  },
);

test("hetzner: a node that does not answer is said to, and nothing breaks", async () => {
  const context = fakeContext();
  const told = await failure(ready({ platform: "hetzner" }, context));
  expect(told).toMatch(/^config accepted: not .*/);
  expect(told).toContain(
    `${CP}: its log cannot be read: rpc error: code = Unavailable desc = connection refused`,
  );
});

test.each([
  ["etcd", ["etcd"], "  | etcd: Waiting, health ?\n  | etcd says"],
  ["kubelet", ["kubelet"], "  | kubelet: Waiting, health ?\n  | kubelet says"],
  ["no service", [], "  | machined says"],
])("hetzner: where %s is ill, its log is told", async (_ill, ill, lines) => {
  whole();
  for (const name of ill) talosctl.answer(`service ${name}`, service("10.5.0.2", "Waiting", "?"));
  cluster.objects.set("/api/v1/nodes", { items: [] });
  cluster.objects.delete("/readyz");
  expect(await failure(api({ platform: "hetzner" }, fakeContext()))).toContain(lines);
});

test("a dead server's name is never taken for a node's, even where Talos says nothing", async () => {
  const dead = { ...access(), kubeconfig: kubeconfigFor("https://127.0.0.1:1") };
  const controlPlanes = [{ name: CP, address: node.address, endpoint: node.endpoint }];
  const input = { ...dead, machines: await machinesOf("docker"), controlPlanes };
  const told = await failure(waitKubernetesApi(input, fakeContext()));
  expect(told).toContain("https://127.0.0.1:1: last seen: connect ECONNREFUSED");
  expect(told).toContain(`${CP}: the last lines of its log:`);
});
