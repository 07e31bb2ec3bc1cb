import { type KubernetesNode, nodeFaults } from "../../../ops/waits/kubernetes";

const node = (name: string, version: string, ready: string): KubernetesNode => ({
  metadata: { name },
  status: {
    conditions: [{ type: "Ready", status: ready, message: "container runtime network not ready" }],
    nodeInfo: { kubeletVersion: `v${version}` },
  },
});

const wanted = { names: ["lab-controlplane-1", "lab-worker-1"], version: "1.35.8", ready: true };

test.each<[string, KubernetesNode[], Record<string, string>]>([
  ["all Ready", [node("lab-controlplane-1", "1.35.8", "True"), node("lab-worker-1", "1.35.8", "True")], {}],
  ["one missing", [node("lab-controlplane-1", "1.35.8", "True")], { "lab-worker-1": "not registered" }],
  [
    "one with another kubelet",
    [node("lab-controlplane-1", "1.35.7", "True"), node("lab-worker-1", "1.35.8", "True")],
    { "lab-controlplane-1": "kubelet 1.35.7, wanted 1.35.8" },
  ],
  [
    "one not Ready",
    [node("lab-controlplane-1", "1.35.8", "True"), node("lab-worker-1", "1.35.8", "False")],
    { "lab-worker-1": "Ready is False: container runtime network not ready" },
  ],
])("%s", (_case, nodes, faults) => {
  expect(nodeFaults(nodes, wanted)).toEqual(faults);
});

test("without a CNI nodes have to register, not to be Ready", () => {
  const nodes = wanted.names.map((name) => node(name, "1.35.8", "False"));
  expect(nodeFaults(nodes, { ...wanted, ready: false })).toEqual({});
});

test("nodes that the stack does not list are nobody's fault", () => {
  const nodes = [...wanted.names, "lab-worker-9"].map((name) => node(name, "1.35.8", "True"));
  expect(nodeFaults([...nodes, node("leaving", "1.30.0", "False")], wanted)).toEqual({});
});
