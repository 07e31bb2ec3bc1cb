import { kubernetesClient, pathOf } from "../../../ops/clients/kubernetes";
import { objectOf, recoverObject } from "../../../ops/recover/kubernetes";
import type { StateResource } from "../../../ops/recover/state";
import {
  type Cluster,
  kubeconfigFor,
  startCluster,
} from "../../../rehearsal/test/plugins/kubernetes/cluster";

let cluster: Cluster;

beforeEach(async () => {
  cluster = await startCluster();
});

afterEach(async () => cluster.stop());

const PATH = "/api/v1/namespaces/kube-system/configmaps/talos-fleet";
const record: StateResource = {
  urn: "urn:pulumi:lab::talos-fleet::kubernetes:core/v1:ConfigMap::lab-record",
  type: "kubernetes:core/v1:ConfigMap",
  inputs: {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "talos-fleet", namespace: "kube-system" },
  },
};

const KINDS: Readonly<Record<string, readonly (readonly [string, string, boolean])[]>> = {
  "/api/v1": [
    ["configmaps", "ConfigMap", true],
    ["secrets", "Secret", true],
    ["endpoints", "Endpoints", true],
    ["pods/status", "Pod", true],
    ["pods", "Pod", true],
  ],
  "/apis/apps/v1": [["deployments", "Deployment", true]],
  "/apis/networking.k8s.io/v1": [
    ["ingresses", "Ingress", true],
    ["networkpolicies", "NetworkPolicy", true],
    ["ingressclasses", "IngressClass", false],
  ],
  "/apis/rbac.authorization.k8s.io/v1": [["clusterrolebindings", "ClusterRoleBinding", false]],
};

/** What the API says of its kinds. */
beforeEach(() => {
  for (const [root, kinds] of Object.entries(KINDS)) {
    const resources = kinds.map(([name, kind, namespaced]) => ({ name, kind, namespaced }));
    cluster.objects.set(root, { kind: "APIResourceList", resources });
  }
});

const recovered = (inState = false, kubeconfig = cluster.kubeconfig) =>
  recoverObject({ api: kubernetesClient(kubeconfig), cluster: "lab", inState: () => inState }, record);

const object = (data: object, manager = "kubectl") => ({
  metadata: { name: "talos-fleet", uid: "1", managedFields: [{ manager }] },
  data: { ...data },
});

test("an object that says it is ours goes", async () => {
  cluster.objects.set(PATH, object({ cluster: "lab" }));
  expect(await recovered()).toEqual({ kind: "removed", what: "ConfigMap kube-system/talos-fleet" });
  expect(cluster.objects.has(PATH)).toBe(false);
  expect(await recovered()).toEqual({ kind: "absent", what: "ConfigMap kube-system/talos-fleet" });
});

test("one that the plugin has signed goes too", async () => {
  cluster.objects.set(PATH, object({}, "pulumi-kubernetes-1a2b3c4d"));
  expect((await recovered()).kind).toBe("removed");
});

test("one that is somebody else's stays, and so does one that the state holds", async () => {
  cluster.objects.set(PATH, object({ cluster: "other" }));
  expect(await recovered()).toMatchObject({
    kind: "left",
    why: "it lacks the mark of this program, so it is somebody else's and `up` will meet it",
  });
  cluster.objects.set(PATH, object({ cluster: "lab" }));
  expect(await recovered(true)).toMatchObject({ kind: "left", why: "the state holds it" });
  expect(cluster.objects.has(PATH)).toBe(true);
});

test("an API that does not answer cannot be asked", async () => {
  const unasked = {
    kind: "unasked",
    what: "ConfigMap kube-system/talos-fleet",
    why: "the Kubernetes API does not answer; `up` tells if it is in the way",
  };
  expect(await recovered(false, kubeconfigFor("https://127.0.0.1:1"))).toEqual(unasked);
  expect(await recoverObject({ api: undefined, cluster: "lab", inState: () => false }, record)).toEqual(
    unasked,
  );
});

test.each([
  [
    { apiVersion: "v1", kind: "Secret", metadata: { name: "hcloud", namespace: "kube-system" } },
    "/api/v1/namespaces/kube-system/secrets/hcloud",
  ],
  [
    { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "ccm", namespace: "kube-system" } },
    "/apis/apps/v1/namespaces/kube-system/deployments/ccm",
  ],
  [
    { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding", metadata: { name: "ccm" } },
    "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/ccm",
  ],
  [
    { apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata: { name: "web", namespace: "a" } },
    "/apis/networking.k8s.io/v1/namespaces/a/ingresses/web",
  ],
  [
    { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", metadata: { name: "deny" } },
    "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies/deny",
  ],
  [
    { apiVersion: "networking.k8s.io/v1", kind: "IngressClass", metadata: { name: "nginx" } },
    "/apis/networking.k8s.io/v1/ingressclasses/nginx",
  ],
  [
    { apiVersion: "v1", kind: "Endpoints", metadata: { name: "api", namespace: "a" } },
    "/api/v1/namespaces/a/endpoints/api",
  ],
  [{ apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "a" } }, "/api/v1/namespaces/a/pods/p"],
  [{ apiVersion: "v1", kind: "Nothing", metadata: { name: "x" } }, undefined],
  [{ apiVersion: "example.net/v1", kind: "Widget", metadata: { name: "x" } }, undefined],
])("%j lies at %s", async (inputs, path) => {
  const object = objectOf(inputs)!;
  expect(await pathOf(kubernetesClient(cluster.kubeconfig), object)).toEqual({ found: path });
});

test("a kind that the cluster does not know has left nothing", async () => {
  const widget = {
    ...record,
    inputs: { apiVersion: "example.net/v1", kind: "Widget", metadata: { name: "x" } },
  };
  const place = { api: kubernetesClient(cluster.kubeconfig), cluster: "lab", inState: () => false };
  expect(await recoverObject(place, widget)).toEqual({ kind: "absent", what: "Widget x" });
});
