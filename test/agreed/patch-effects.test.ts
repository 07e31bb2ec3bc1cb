import { allDiscover, clusterEffects, expectations, patchEffects } from "../../agreed/patch-effects";
import type { Patch, Role } from "../../agreed/types";

const patch = (...documents: Record<string, unknown>[]): Patch => ({ source: "x", documents });
const cni = (name: unknown) => patch({ cluster: { network: { cni: { name } } } });
const node = (role: Role, ...patches: Patch[]) => ({ role, patches });

test("nothing said: flannel, CoreDNS, discovery and kube-proxy", () => {
  expect(patchEffects([patch({ machine: {} })])).toEqual({
    ...{ cni: "flannel", coreDns: true, discovery: true, kubeProxy: true },
  });
});

test("the last patch wins", () => {
  expect(patchEffects([cni("none"), cni("flannel")]).cni).toBe("flannel");
  expect(patchEffects([cni("flannel"), cni("none")]).cni).toBe("none");
  const coreDns = (disabled: boolean) => patch({ cluster: { coreDNS: { disabled } } });
  expect(patchEffects([coreDns(true), coreDns(false)]).coreDns).toBe(true);
});

test("a deletion brings the default back, at the key or above it", () => {
  const deleted = { $patch: "delete" };
  expect(patchEffects([cni("none"), patch({ cluster: { network: { cni: deleted } } })]).cni).toBe("flannel");
  expect(patchEffects([cni("none"), patch({ cluster: { network: { cni: { name: deleted } } } })]).cni).toBe(
    "flannel",
  );
});

test("documents of a kind say nothing of the machine config proper", () => {
  expect(patchEffects([patch({ kind: "X", cluster: { network: { cni: { name: "none" } } } })]).cni).toBe(
    "flannel",
  );
});

test("the control planes decide on the cluster's workloads, each node on its own discovery", () => {
  const nodes = [node("controlplane", cni("none")), node("worker", cni("flannel"))];
  expect(clusterEffects(nodes).cni).toBe("none");
  expect(expectations(nodes)).toEqual({ nodesReady: false, coreDns: false });
  const hidden = patch({ cluster: { discovery: { enabled: false } } });
  expect(allDiscover([node("controlplane"), node("worker", hidden)])).toBe(false);
  expect(allDiscover([node("controlplane"), node("worker")])).toBe(true);
});

test("cni: none that a later patch takes back leaves everything to be waited for", () => {
  const nodes = [node("controlplane", cni("none"), cni("flannel"))];
  expect(expectations(nodes)).toEqual({ nodesReady: true, coreDns: true });
});
