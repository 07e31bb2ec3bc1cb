/** What a node's config holds before the operator's patches, as far as a deletion may look for it: keys, no values. */
import { platformOf } from "../platforms/select";
import type { Draft } from "../draft";
import type { LayoutNode } from "../layout";
import { mergeDocument } from "./merge";
import type { Documents } from "./merge";

/** As Talos v1.13 generates it for a worker; a test compares it with talosctl. */
const everyNode = () => ({
  version: "v1alpha1",
  debug: false,
  persist: true,
  machine: {
    type: "",
    token: "",
    ca: { crt: "", key: "" },
    certSANs: [],
    kubelet: {
      image: "",
      defaultRuntimeSeccompProfileEnabled: true,
      disableManifestsDirectory: true,
      nodeIP: { validSubnets: [] },
    },
    install: { disk: "", image: "", wipe: false, grubUseUKICmdline: true },
    features: {
      diskQuotaSupport: true,
      kubePrism: { enabled: true, port: 7445 },
      hostDNS: { enabled: true, forwardKubeDNSToHost: true },
    },
    // No pointer in Talos: always there.
    registries: {},
  },
  cluster: {
    id: "",
    secret: "",
    controlPlane: { endpoint: "" },
    clusterName: "",
    network: { dnsDomain: "", podSubnets: [], serviceSubnets: [] },
    token: "",
    ca: { crt: "", key: "" },
    discovery: { enabled: true, registries: { kubernetes: { disabled: true }, service: {} } },
  },
});

const controlPlane = () => ({
  machine: { nodeLabels: { "node.kubernetes.io/exclude-from-external-load-balancers": "" } },
  cluster: {
    secretboxEncryptionSecret: "",
    aggregatorCA: { crt: "", key: "" },
    serviceAccount: { key: "" },
    apiServer: {
      image: "",
      certSANs: [],
      admissionControl: [{ name: "PodSecurity" }],
      auditPolicy: { apiVersion: "", kind: "", rules: [] },
    },
    controllerManager: { image: "" },
    proxy: { image: "" },
    scheduler: { image: "" },
    etcd: { ca: { crt: "", key: "" }, advertisedSubnets: [] },
  },
});

/** In the order in which machine/patches.ts merges. */
export function baseDocuments(node: LayoutNode, draft: Draft): Readonly<Record<string, unknown>>[] {
  const pool = draft.pools.find(({ key }) => key === node.key);
  const taints = pool?.taints ?? [];
  const kubelet = taints.length === 0 ? {} : { kubelet: { extraConfig: { registerWithTaints: taints } } };
  const labels = Object.keys(pool?.labels ?? {}).length === 0 ? {} : { nodeLabels: pool?.labels };
  return [
    everyNode(),
    { apiVersion: "v1alpha1", kind: "HostnameConfig", auto: "off", hostname: "" },
    ...(draft.platform === undefined ? [] : structuredClone(platformOf(draft.platform).owned.documents)),
    ...(node.role === "controlplane" ? [controlPlane()] : []),
    ...(node.role === "worker" ? [{ machine: { ...labels, ...kubelet } }] : []),
  ];
}

export function baseConfig(node: LayoutNode, draft: Draft): Documents {
  const config: Documents = new Map();
  for (const document of baseDocuments(node, draft)) mergeDocument(config, document);
  return config;
}
