import type { Args } from "../args";
import type * as shapes from "../shapes";

export type {
  ClientConfiguration as GetHealthClientConfiguration,
  ClientConfiguration as GetKubeconfigClientConfiguration,
  ReadTimeouts as GetHealthTimeouts,
  ReadTimeouts as GetKubeconfigTimeouts,
} from "../shapes";

export type GetHealthClientConfigurationArgs = Args<shapes.ClientConfiguration>;
export type GetHealthTimeoutsArgs = Args<shapes.ReadTimeouts>;
export type GetKubeconfigClientConfigurationArgs = Args<shapes.ClientConfiguration>;
export type GetKubeconfigTimeoutsArgs = Args<shapes.ReadTimeouts>;
export type KubeconfigClientConfiguration = Args<shapes.ClientConfiguration>;
export type KubeconfigKubernetesClientConfiguration = Args<Partial<shapes.KubernetesClientConfiguration>>;
export type KubeconfigTimeouts = Args<shapes.CreateUpdateTimeouts>;
