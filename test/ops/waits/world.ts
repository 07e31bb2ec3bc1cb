/** One control plane as the waits see it: talosctl, the Talos port, the Kubernetes API, the engine; and the waits, run on it. */
import { createServer as createHttp } from "node:http";
import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import type { MachinesInput, NodeInput } from "../../../agreed/operations";
import { foundEtcd } from "../../../ops/bootstrap/run";
import { withTalosctl } from "../../../ops/clients/talosctl";
import { liveMachines } from "../../../ops/platforms/select";
import { waitNode } from "../../../ops/wait/node";
import { waitKubernetesApi, waitReady } from "../../../ops/wait/run";
import { explained } from "../../../ops/waits/explain";
import { type Cluster, startCluster } from "../../../rehearsal/test/plugins/kubernetes/cluster";
import {
  type fakeContext,
  type FakeTalosctl,
  fakeTalosctl,
  machineStatus,
  memberTable,
  service,
} from "./fakes";

export const CP = "lab-controlplane-1";
export const DEPLOYMENT = "/apis/apps/v1/namespaces/kube-system/deployments/coredns";
const REFUSED =
  'E1122 12:18:38.387137 8162 run.go:74] "command failed" err="failed to parse kubelet flag: unknown flag: --x"';
const limits = { talosApi: 3, etcd: 3, kubernetesApi: 3, nodesReady: 3, coreDns: 3 };

export interface WaitWorld {
  talosctl: FakeTalosctl;
  cluster: Cluster;
  node: NodeInput;
  /** What the engine has; of a node's log it says what no longer boots. */
  containers: object[];
  machinesOf(platform: MachinesInput["platform"]): Promise<MachinesInput>;
}

export type Run = (machines: MachinesInput, context: ReturnType<typeof fakeContext>) => Promise<unknown>;

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });

const engineOf = (world: WaitWorld) =>
  createHttp((request, response) => {
    const isLog = request.url?.includes(`/containers/${CP}/logs`) === true;
    const text = 'booting\nfailed to set up /etc overlay key="lowerdir+"\n';
    const header = Buffer.alloc(8);
    header.writeUInt32BE(text.length, 4);
    response.end(isLog ? Buffer.concat([header, Buffer.from(text)]) : JSON.stringify(world.containers));
  });

/** A new world for each test of the file that calls this. */
export function worldForEachTest(): WaitWorld {
  let port: Server;
  let engine: Server;
  const world = {
    machinesOf: async (platform) =>
      platform === "docker"
        ? { platform, engine: { host: `tcp://127.0.0.1:${await listen(engine)}` } }
        : { platform },
  } as WaitWorld;
  beforeEach(async () => {
    port = createServer((socket) => socket.end());
    engine = engineOf(world);
    const endpoint = `127.0.0.1:${await listen(port)}`;
    Object.assign(world, {
      talosctl: fakeTalosctl(),
      cluster: await startCluster(),
      node: { name: CP, role: "controlplane", address: "10.5.0.2", endpoint },
      containers: [{ Names: [`/${CP}`], State: "running", Status: "Up" }],
    } satisfies Partial<WaitWorld>);
  });
  afterEach(async () => {
    world.talosctl.end();
    await world.cluster.stop();
    port.close();
    engine.close();
  });
  return world;
}

/** Everything as it should be; each case takes one thing away. */
export function makeWhole({ talosctl, cluster }: WaitWorld): void {
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

/** Every operation that waits, on this world. */
export function runsOn(world: WaitWorld) {
  const access = () => ({ kubeconfig: world.cluster.kubeconfig, talosconfig: "context: lab", limits });
  const ready: Run = (machines, context) =>
    waitReady(
      {
        ...access(),
        machines,
        nodes: [{ ...world.node, machine: "1" }],
        kubernetesVersion: "1.35.8",
        expect: { nodesReady: true, coreDns: true },
        configs: "x",
      },
      context,
    );
  const api =
    (kubeconfig?: string): Run =>
    (machines, context) => {
      const { name, address, endpoint } = world.node;
      const given = kubeconfig === undefined ? access() : { ...access(), kubeconfig };
      return waitKubernetesApi({ ...given, machines, controlPlanes: [{ name, address, endpoint }] }, context);
    };
  const gate: Run = (machines, context) =>
    waitNode(
      {
        ...{ container: "new", node: world.node, controlPlanes: [world.node], talosVersion: "v1.13.10" },
        ...{ ready: true, talosconfig: "context: lab", limits, machines },
      },
      "old\n",
      context,
    );
  const founding: Run = (input, context) =>
    explained(
      {
        machines: liveMachines(input, { talosconfig: "context: lab", nodes: [world.node] }),
        nodes: [world.node],
      },
      () =>
        withTalosctl("context: lab", (talosctl) =>
          foundEtcd({ talosctl, controlPlanes: [world.node], limits }, context),
        ),
    );
  return { ready, api: api(), apiAt: api, gate, founding };
}

/** What the wait's failure says. */
export const failure = async (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => "it came",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
