import { parse } from "yaml";
import { reachableKubeconfig } from "../../components/kubeconfig";

const RAW = `apiVersion: v1
kind: Config
clusters:
- name: fleet
  cluster: {server: "https://10.0.1.254:6443", certificate-authority-data: Q0E=}
users:
- name: admin@fleet
  user: {client-certificate-data: Q1JU, client-key-data: S0VZ}
contexts:
- name: admin@fleet
  context: {cluster: fleet, namespace: default, user: admin@fleet}
current-context: admin@fleet
`;

test("the current context reaches the first control plane from here, under the node's own names", () => {
  const config: unknown = parse(
    reachableKubeconfig(RAW, [{ node: "lab-controlplane-1", server: "https://127.0.0.1:6443" }]),
  );
  expect(config).toEqual({
    ...parse(RAW),
    clusters: [
      { name: "fleet", cluster: { server: "https://127.0.0.1:6443", "certificate-authority-data": "Q0E=" } },
    ],
  });
});

test("every further control plane gets a context of its own, with the same user", () => {
  const config = parse(
    reachableKubeconfig(RAW, [
      { node: "fleet-controlplane-1", server: "https://198.51.100.1:6443" },
      { node: "fleet-controlplane-2", server: "https://198.51.100.2:6443" },
    ]),
  ) as { clusters: unknown[]; contexts: unknown[]; "current-context": string };
  expect(config.clusters[1]).toEqual({
    name: "fleet-controlplane-2",
    cluster: { server: "https://198.51.100.2:6443", "certificate-authority-data": "Q0E=" },
  });
  expect(config.contexts[1]).toEqual({
    name: "admin@fleet-controlplane-2",
    context: { cluster: "fleet-controlplane-2", namespace: "default", user: "admin@fleet" },
  });
  expect(config["current-context"]).toBe("admin@fleet");
});

test("what is no kubeconfig is refused", () => {
  expect(() =>
    reachableKubeconfig("clusters: []", [{ node: "n", server: "https://127.0.0.1:6443" }]),
  ).toThrow();
});
