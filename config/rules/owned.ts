/** What a patch may not set because the program sets it itself, from one place, for every node alike. */
export interface Owned {
  readonly paths: readonly string[];
  readonly rule: string;
  readonly repair: string;
}

/** What one platform adds to the lists here. */
export interface OwnedParts {
  readonly keys: readonly Owned[];
  /** What its nodes cannot do without. */
  readonly needed: readonly string[];
  readonly kinds: Readonly<Record<string, OwnedKind>>;
  /** What the program adds to every node's config on this platform (machine/platforms), with its values left out. */
  readonly documents: readonly Readonly<Record<string, unknown>>[];
}

export const owned: readonly Owned[] = [
  {
    paths: ["machine.install.image"],
    rule: "the installer comes from the schematic and talosVersion",
    repair: "change schematic or talosVersion",
  },
  {
    paths: ["machine.type"],
    rule: "a node's role follows from controlPlanes and workers",
    repair: "remove it",
  },
  {
    paths: [
      "machine.token",
      "machine.ca",
      "cluster.id",
      "cluster.secret",
      "cluster.token",
      "cluster.ca",
      "cluster.aggregatorCA",
      "cluster.serviceAccount",
      "cluster.aescbcEncryptionSecret",
      "cluster.secretboxEncryptionSecret",
      "cluster.etcd.ca",
    ],
    rule: "the cluster's secrets are made once and kept in the state, and a node with others could not join",
    repair: "remove it, and change the secret if this file was shared",
  },
  {
    paths: ["cluster.clusterName"],
    rule: "the cluster's name is in every node's name and in the client configs",
    repair: "set clusterName in the stack file",
  },
  {
    paths: ["cluster.controlPlane.endpoint", "cluster.controlPlane.localAPIServerPort"],
    rule: "the endpoint is in every certificate and follows from the platform's addresses and ports",
    repair: "remove it: further names for the API go into cluster.apiServer.certSANs",
  },
  {
    paths: [
      "machine.network.hostname",
      "machine.features.stableHostname",
      "machine.kubelet.registerWithFQDN",
      "machine.kubelet.extraArgs.hostname-override",
    ],
    rule: "a node is named by this program, in a HostnameConfig document, and under another name it would join as a new node",
    repair: "remove it: names follow from clusterName and the pools' names",
  },
  {
    paths: [
      "machine.kubelet.image",
      "cluster.apiServer.image",
      "cluster.controllerManager.image",
      "cluster.scheduler.image",
      "cluster.proxy.image",
    ],
    rule: "these images follow from kubernetesVersion, and an upgrade would leave this one behind",
    repair: "set kubernetesVersion, or for a registry of your own add a RegistryMirrorConfig document",
  },
  {
    paths: ["cluster.etcd.image"],
    rule: "the etcd image follows from talosVersion, and an upgrade would leave this one behind",
    repair: "remove it, or for a registry of your own add a RegistryMirrorConfig document",
  },
  {
    paths: ["cluster.network.podSubnets", "cluster.network.serviceSubnets"],
    rule: "pod and service ranges are checked against the node network and fixed when the cluster is made",
    repair: "set hetzner.network.pods and hetzner.network.services (the lab keeps Kubernetes' defaults)",
  },
  {
    paths: ["cluster.etcd.advertisedSubnets", "cluster.etcd.listenSubnets", "cluster.etcd.subnet"],
    rule: "etcd is bound to the node network, and lists of subnets would be joined",
    repair: "remove it",
  },
  {
    paths: ["machine.kubelet.extraArgs.node-ip"],
    rule: "the kubelet's address is found in the node network, and one fixed address cannot suit several nodes",
    repair: "remove it",
  },
  {
    paths: [
      "cluster.externalCloudProvider",
      "machine.kubelet.extraArgs.cloud-provider",
      "cluster.apiServer.extraArgs.cloud-provider",
      "cluster.controllerManager.extraArgs.cloud-provider",
    ],
    rule: "no cloud controller manager runs in this cluster, so that nodes would wait for one for ever",
    repair: "remove it",
  },
];

/** What a node cannot do without on any platform: made by this program or by Talos for it. A patch may add to some of these. */
export const needed = [
  "machine.type",
  "machine.token",
  "machine.ca",
  "machine.certSANs",
  "machine.install.image",
  "machine.kubelet.image",
  "machine.kubelet.nodeIP",
  "cluster.id",
  "cluster.secret",
  "cluster.token",
  "cluster.ca",
  "cluster.aggregatorCA",
  "cluster.serviceAccount",
  "cluster.secretboxEncryptionSecret",
  "cluster.clusterName",
  "cluster.controlPlane",
  "cluster.network.podSubnets",
  "cluster.network.serviceSubnets",
  "cluster.apiServer.image",
  "cluster.apiServer.certSANs",
  "cluster.controllerManager.image",
  "cluster.scheduler.image",
  "cluster.etcd.ca",
  "cluster.etcd.advertisedSubnets",
];

/** A token for the whole project in a config that every control plane holds and shows to whoever may read configs. */
export const hcloudToken = {
  rule: "it puts a token for the whole Hetzner project on every control plane",
  repair: "remove it and use hetzner.apiLoadBalancer",
};

export interface OwnedKind extends Omit<Owned, "paths"> {
  /** Only documents that say this; all of the kind unless given. */
  readonly when?: (document: Readonly<Record<string, unknown>>) => boolean;
}

/** Documents that are the program's own, or that would undo what it does. */
export const ownedKinds: Readonly<Record<string, OwnedKind>> = {
  HostnameConfig: {
    rule: "a node is named by this program, and under another name it would join as a new node",
    repair: "remove the document: names follow from clusterName and the pools' names",
  },
  HCloudVIPConfig: {
    ...hcloudToken,
    repair: "remove the document and use hetzner.apiLoadBalancer",
  },
};
