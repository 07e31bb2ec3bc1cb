/** The gate between two containers: it knows its own last answer, and does not wait for who comes after it. */
import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import { waitNode } from "../../../ops/wait/node";
import { fakeContext, type FakeTalosctl, fakeTalosctl, machineStatus, memberTable, service } from "./fakes";

let talosctl: FakeTalosctl;
let port: Server;
let endpoint: string;

beforeEach(async () => {
  talosctl = fakeTalosctl();
  port = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => port.listen(0, "127.0.0.1", resolve));
  endpoint = `127.0.0.1:${(port.address() as AddressInfo).port}`;
});

afterEach(() => {
  talosctl.end();
  port.close();
});

const node = (number: number) => ({
  name: `lab-controlplane-${number}`,
  role: "controlplane" as const,
  address: `10.5.0.${number + 1}`,
  endpoint,
});

async function gate(lastAnswer: string): Promise<string[]> {
  const context = fakeContext();
  const input = {
    container: "c2",
    node: node(1),
    controlPlanes: [node(1), node(2), node(3)],
    ...{ talosVersion: "v1.13.10", ready: true, talosconfig: "context: lab" },
    limits: { talosApi: 3, etcd: 3, kubernetesApi: 3, nodesReady: 3, coreDns: 3 },
    machines: { platform: "hetzner" as const },
  };
  await waitNode(input, lastAnswer, context);
  return context.lines;
}

test.each(["c2", "c2\n", "lab-controlplane-1: has a new container\nnode: ok (0.0 s)\nc2\n"])(
  "a container that the last answer names is not waited for: %j",
  async (lastAnswer) => {
    // Nothing answers here: asking anything would fail.
    expect(await gate(lastAnswer)).toEqual([
      "lab-controlplane-1: the same container as before: nothing to wait for",
      "c2",
    ]);
  },
);

test.each(["", "c1\n", "c2\nc1\n", "c22\n"])(
  "another one is, and then it is the answer: %j",
  async (lastAnswer) => {
    talosctl.answer("get machinestatus", machineStatus("10.5.0.2", "running"));
    talosctl.answer("service etcd", service("10.5.0.2", "Running", "OK"));
    talosctl.answer("etcd members", memberTable("lab-controlplane-1"));
    const lines = await gate(lastAnswer);
    expect(lines[0]).toMatch(/^lab-controlplane-1: has a new container of Talos v1\.13\.10/);
    expect(lines.at(-1)).toBe("c2");
    // The other two do not exist yet: they are made once this gate has let them.
    expect(lines).toContain("etcd: ok (0.0 s)");
  },
);

test("a control plane that has joined has to be healthy", async () => {
  talosctl.answer("get machinestatus", machineStatus("10.5.0.2", "running"));
  talosctl.answer("service etcd", service("10.5.0.2", "Running", "OK"));
  talosctl.answer("etcd members", memberTable("lab-controlplane-1", "lab-controlplane-2"));
  await expect(gate("c1")).rejects.toThrow(
    "etcd: not reached within 3 s\n  lab-controlplane-2: last seen: etcd service",
  );
});

test("a gate that failed has given no answer, so that the next call waits again", async () => {
  await expect(gate("c1")).rejects.toThrow("node lab-controlplane-1: not reached within 3 s");
});
