import { kubernetesClient } from "../../../ops/clients/kubernetes";
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
])("%j lies at %s", (inputs, path) => {
  expect(objectOf(inputs)?.path).toBe(path);
});
