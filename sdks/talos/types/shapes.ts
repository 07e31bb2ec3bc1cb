/** Plain forms of the schema's object types; `types.input` and `types.output` name them as the published SDK does. */

/** PEM in base64; `clientKey` is secret. */
export interface ClientConfiguration {
  caCertificate: string;
  clientCertificate: string;
  clientKey: string;
}

/** `host` is the API server's URL, the rest PEM in base64; `clientKey` is secret. */
export interface KubernetesClientConfiguration {
  caCertificate: string;
  clientCertificate: string;
  clientKey: string;
  host: string;
}

/** PEM in base64; `key` is secret. */
export interface Certificate {
  cert: string;
  key: string;
}

/** PEM in base64; secret. */
export interface Key {
  key: string;
}

export interface Certificates {
  etcd: Certificate;
  k8s: Certificate;
  k8sAggregator: Certificate;
  k8sServiceaccount: Key;
  os: Certificate;
}

/** `secret` is secret, `id` is not. */
export interface Cluster {
  id: string;
  secret: string;
}

/** All secret. */
export interface KubernetesSecrets {
  aescbcEncryptionSecret?: string | undefined;
  bootstrapToken: string;
  secretboxEncryptionSecret: string;
}

/** Secret. */
export interface TrustdInfo {
  token: string;
}

export interface MachineSecrets {
  certs: Certificates;
  cluster: Cluster;
  secrets: KubernetesSecrets;
  trustdinfo: TrustdInfo;
}

/** Go durations ("90s", "10m"). Give all three or none: the plugin fails on a part of them. */
export interface Timeout {
  create?: string | undefined;
  delete?: string | undefined;
  update?: string | undefined;
}

export interface CreateTimeouts {
  create?: string | undefined;
}

export interface CreateUpdateTimeouts {
  create?: string | undefined;
  update?: string | undefined;
}

export interface ReadTimeouts {
  read?: string | undefined;
}

/** Give all three or leave the block out. */
export interface OnDestroy {
  graceful?: boolean | undefined;
  reboot?: boolean | undefined;
  reset?: boolean | undefined;
}

export interface Disk {
  busPath: string;
  cdrom: boolean;
  devPath: string;
  ioSize: number;
  modalias: string;
  model: string;
  prettySize: string;
  readonly: boolean;
  rotational: boolean;
  secondaryDisks: string[];
  sectorSize: number;
  serial: string;
  size: number;
  subSystem: string;
  symlinks: string[];
  transport: string;
  uuid: string;
  wwid: string;
}

/** Empty strings where the platform has no such asset. */
export interface Urls {
  diskImage: string;
  diskImageSecureboot: string;
  initramfs: string;
  installer: string;
  installerSecureboot: string;
  iso: string;
  isoSecureboot: string;
  kernel: string;
  kernelCommandLine: string;
  pxe: string;
  uki: string;
}

export interface ExtensionInfo {
  author: string;
  description: string;
  digest: string;
  name: string;
  ref: string;
}

export interface OverlayInfo {
  digest: string;
  image: string;
  name: string;
  ref: string;
}

export interface NamesFilter {
  names?: string[] | undefined;
}

export interface NameFilter {
  name?: string | undefined;
}

export interface StableFilter {
  stableVersionsOnly?: boolean | undefined;
}
