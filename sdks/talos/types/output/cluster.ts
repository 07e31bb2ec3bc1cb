import type * as shapes from "../shapes";

export type {
  ClientConfiguration as GetHealthClientConfiguration,
  ClientConfiguration as GetKubeconfigClientConfiguration,
  ClientConfiguration as KubeconfigClientConfiguration,
  CreateUpdateTimeouts as KubeconfigTimeouts,
  KubernetesClientConfiguration as GetKubeconfigKubernetesClientConfiguration,
  ReadTimeouts as GetHealthTimeouts,
  ReadTimeouts as GetKubeconfigTimeouts,
} from "../shapes";

/** The schema promises none of the four. */
export type KubeconfigKubernetesClientConfiguration = Partial<shapes.KubernetesClientConfiguration>;
