import type { Args } from "../args";
import type * as shapes from "../shapes";

export type {
  Certificate,
  Certificates,
  Cluster,
  Key,
  KubernetesSecrets,
  MachineSecrets,
  TrustdInfo,
  ClientConfiguration as GetDisksClientConfiguration,
  ReadTimeouts as GetDisksTimeouts,
} from "../shapes";

export type BootstrapClientConfigurationWo = Args<shapes.ClientConfiguration>;
export type BootstrapTimeouts = Args<shapes.CreateTimeouts>;
export type CertificateArgs = Args<shapes.Certificate>;
export type CertificatesArgs = Args<shapes.Certificates>;
export type ClientConfiguration = Args<shapes.ClientConfiguration>;
export type ClusterArgs = Args<shapes.Cluster>;
export type ConfigurationApplyClientConfigurationWo = Args<shapes.ClientConfiguration>;
export type ConfigurationApplyOnDestroy = Args<shapes.OnDestroy>;
export type GetDisksClientConfigurationArgs = Args<shapes.ClientConfiguration>;
export type GetDisksTimeoutsArgs = Args<shapes.ReadTimeouts>;
export type KeyArgs = Args<shapes.Key>;
export type KubernetesSecretsArgs = Args<shapes.KubernetesSecrets>;
export type MachineSecretsArgs = Args<shapes.MachineSecrets>;
export type Timeout = Args<shapes.Timeout>;
export type TrustdInfoArgs = Args<shapes.TrustdInfo>;
