import { expectations } from "../../agreed/patch-effects";
import { commonPatch, hostnamePatch, poolPatch, schedulingPatch } from "../../machine/common";
import { patchesFor, patchTexts } from "../../machine/patches";
import { hetznerPatch } from "../../machine/platforms/hetzner";
import { dockerPatch } from "../../machine/platforms/docker";
import { reserve } from "../../machine/reserve";
import { labPlan } from "../support/plans";

const facts = {
  installer: "factory.example/metal-installer/id:v1.13.10",
  nodeNetwork: "10.5.0.0/24",
  pods: "10.244.0.0/16",
  services: "10.96.0.0/12",
};

test("the operator's patches come last, in their own order", () => {
  const plan = labPlan();
  const worker = plan.nodes[1]!;
  const sources = patchesFor(worker, { plan, installer: facts.installer, reservation: reserve(plan) }).map(
    ({ source }) => source,
  );
  expect(sources).toEqual(["common", "docker", "hostname", ...worker.patches.map(({ source }) => source)]);
});

test("every node installs from our image and speaks on the node network", () => {
  expect(commonPatch(facts).documents).toEqual([
    {
      machine: {
        install: { image: facts.installer },
        kubelet: { nodeIP: { validSubnets: ["10.5.0.0/24"] } },
      },
      cluster: { network: { podSubnets: ["10.244.0.0/16"], serviceSubnets: ["10.96.0.0/12"] } },
    },
  ]);
});

test("a node's name is a document of ours", () => {
  expect(hostnamePatch(labPlan().nodes[0]!).documents).toEqual([
    { apiVersion: "v1alpha1", kind: "HostnameConfig", auto: "off", hostname: "lab-controlplane-1" },
  ]);
});

const taints = [
  { key: "dedicated", value: "gpu", effect: "NoSchedule" as const },
  { key: "spot", effect: "NoExecute" as const },
];

test("a worker's taints are registered by its kubelet: Talos may not write them with the kubelet's rights", () => {
  const node = { ...labPlan().nodes[1]!, labels: { "node.lab/disk": "fast" }, taints };
  expect(poolPatch(node)[0]?.documents).toEqual([
    {
      machine: {
        nodeLabels: { "node.lab/disk": "fast" },
        kubelet: { extraConfig: { registerWithTaints: taints } },
      },
    },
  ]);
  expect(poolPatch({ ...node, labels: {}, taints: [] })).toEqual([]);
});

test("a control plane's taints are node taints", () => {
  expect(poolPatch({ ...labPlan().nodes[0]!, labels: {}, taints })[0]?.documents).toEqual([
    { machine: { nodeTaints: { dedicated: "gpu:NoSchedule", spot: ":NoExecute" } } },
  ]);
});

test("flannel is bound to the private network, and makes room for another CNI", () => {
  const cniOf = (name: string) => hetznerPatch(name).documents.at(-1);
  expect(cniOf("flannel")).toEqual({
    cluster: { network: { cni: { name: "flannel", flannel: { extraArgs: ["--iface=eth1"] } } } },
  });
  expect(cniOf("none")).toEqual({ cluster: { network: { cni: { name: "flannel" } } } });
});

test("control planes take work when there is no worker", () => {
  expect(schedulingPatch(true)).toEqual([]);
  expect(schedulingPatch(false)[0]?.documents).toEqual([
    { cluster: { allowSchedulingOnControlPlanes: true } },
  ]);
});

test("each document of a patch is one string for the provider", () => {
  expect(patchTexts([{ source: "two", documents: [{ a: 1 }, { $patch: "delete" }] }])).toEqual([
    '{"a":1}',
    '{"$patch":"delete"}',
  ]);
});

test("another published address goes into the certificates", () => {
  const { docker } = labPlan();
  expect(dockerPatch(docker).documents).toEqual([{ cluster: { apiServer: { certSANs: ["127.0.0.1"] } } }]);
  expect(dockerPatch({ ...docker, hostAddress: "192.0.2.7" }).documents).toEqual([
    {
      machine: { certSANs: ["192.0.2.7"] },
      cluster: { apiServer: { certSANs: ["127.0.0.1", "192.0.2.7"] } },
    },
  ]);
});

test.each([
  [{ cluster: { network: { cni: { name: "none" } } } }, { nodesReady: false, coreDns: false }],
  [{ cluster: { coreDNS: { disabled: true } } }, { nodesReady: true, coreDns: false }],
  [{ machine: { sysctls: {} } }, { nodesReady: true, coreDns: true }],
])("%j leaves %j to wait for", (document, expected) => {
  const plan = labPlan();
  const nodes = plan.nodes.map((node) => ({ ...node, patches: [{ source: "x", documents: [document] }] }));
  expect(expectations(nodes)).toEqual(expected);
});
