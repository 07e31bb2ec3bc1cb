import { versionFaults } from "../../machine/refused-changes";
import { formatFault } from "../../base/faults";

const versions = { talos: "v1.13.10", kubernetes: "1.35.8", contract: "v1.13" };
const record = { cluster: "fleet", talos: "v1.13.10", kubernetes: "1.35.8", schematic: "613e" };
const same = { plan: { versions }, schematicId: "613e", talosReplaces: false, record, configs: {} };
const keys = (change: Parameters<typeof versionFaults>[0]) => versionFaults(change).map(({ key }) => key);

test("what the record says is no change", () => {
  expect(versionFaults(same)).toEqual([]);
});

test("another Kubernetes version is refused everywhere, up and down", () => {
  for (const kubernetes of ["1.36.4", "1.35.7"]) {
    const plan = { versions: { ...versions, kubernetes } };
    expect(keys({ ...same, plan })).toEqual(["kubernetesVersion"]);
    expect(keys({ ...same, plan, talosReplaces: true })).toEqual(["kubernetesVersion"]);
  }
});

test("another Talos or schematic is refused where nothing would install it, and all at once", () => {
  const changed = {
    ...same,
    plan: { versions: { ...versions, talos: "v1.13.11", kubernetes: "1.36.4" } },
    schematicId: "abcd",
  };
  expect(keys(changed)).toEqual(["kubernetesVersion", "talosVersion", "schematic"]);
  expect(keys({ ...changed, talosReplaces: true })).toEqual(["kubernetesVersion"]);
});

test("the words: what runs, why not, what to do", () => {
  const plan = { versions: { ...versions, kubernetes: "1.36.4" } };
  expect(versionFaults({ ...same, plan }).map(formatFault)).toEqual([
    "kubernetesVersion: 1.36.4: the cluster runs Kubernetes 1.35.8, as the record in the cluster says (ConfigMap kube-system/talos-fleet), and a new version would reach all nodes at once: the upgrade node by node is not built yet; set 1.35.8 again",
  ]);
});

test("a record of an older program that lacks a key refuses nothing for it", () => {
  expect(versionFaults({ ...same, record: { cluster: "fleet" } })).toEqual([]);
});

test("before there is a record, the configs say what was installed; Kubernetes may still be changed", () => {
  const id = "613e".padEnd(64, "0");
  const config = `machine:\n    install:\n        image: factory.example/hcloud-installer/${id}:v1.13.10\n        wipe: false\n    kubelet:\n        image: ghcr.io/siderolabs/kubelet:v1.35.8\n`;
  const died = { ...same, record: undefined, configs: { "fleet-worker-1": config } };
  expect(versionFaults({ ...died, schematicId: id })).toEqual([]);
  const plan = { versions: { ...versions, talos: "v1.13.11", kubernetes: "1.36.4" } };
  const faults = versionFaults({ ...died, plan, schematicId: "abcd" });
  expect(faults.map(formatFault)).toEqual([
    "talosVersion: v1.13.11: the servers run Talos v1.13.10, as their configs in the stack's state say, and nothing would upgrade them: the upgrade node by node is not built yet; set v1.13.10 again",
    `schematic: abcd: the servers run the schematic ${id}, as their configs in the stack's state say, and nothing would install another: the upgrade node by node is not built yet; bring the schematic back to what it was`,
  ]);
  expect(versionFaults({ ...died, plan, schematicId: "abcd", talosReplaces: true })).toEqual([]);
  expect(versionFaults({ ...died, plan, configs: {} })).toEqual([]);
});
