import type * as pulumi from "@pulumi/pulumi";
import { isOfType, TalosResource, type ResourceSpec } from "../core";
import type { input, output } from "../types";

const kubeconfigSpec: ResourceSpec = {
  token: "talos:cluster/kubeconfig:Kubeconfig",
  inputs: ["certificateRenewalDuration", "clientConfiguration", "endpoint", "node", "timeouts"],
  required: ["clientConfiguration", "node"],
  secretInputs: [],
  computed: ["kubeconfigRaw", "kubernetesClientConfiguration"],
  secretOutputs: ["kubeconfigRaw"],
};

export interface KubeconfigArgs {
  /** A Go duration; an update within it before expiry fetches anew. `720h` when left out. */
  certificateRenewalDuration?: pulumi.Input<string | undefined>;
  clientConfiguration: pulumi.Input<input.cluster.KubeconfigClientConfiguration>;
  /** Where the connection goes, host or host:port; `node` when left out. */
  endpoint?: pulumi.Input<string | undefined>;
  /** A control plane's own address, without a port. */
  node: pulumi.Input<string>;
  timeouts?: pulumi.Input<input.cluster.KubeconfigTimeouts | undefined>;
}

export interface KubeconfigState extends Omit<KubeconfigArgs, "clientConfiguration" | "node"> {
  clientConfiguration?: pulumi.Input<input.cluster.KubeconfigClientConfiguration | undefined>;
  kubeconfigRaw?: pulumi.Input<string | undefined>;
  kubernetesClientConfiguration?: pulumi.Input<
    input.cluster.KubeconfigKubernetesClientConfiguration | undefined
  >;
  node?: pulumi.Input<string | undefined>;
}

/** The admin kubeconfig, fetched once; a changed endpoint, node or CA does not fetch it again. */
export class Kubeconfig extends TalosResource {
  static readonly __pulumiType = kubeconfigSpec.token;

  declare readonly certificateRenewalDuration: pulumi.Output<string>;
  declare readonly clientConfiguration: pulumi.Output<output.cluster.KubeconfigClientConfiguration>;
  declare readonly endpoint: pulumi.Output<string>;
  declare readonly kubeconfigRaw: pulumi.Output<string>;
  declare readonly kubernetesClientConfiguration: pulumi.Output<output.cluster.KubeconfigKubernetesClientConfiguration>;
  declare readonly node: pulumi.Output<string>;
  declare readonly timeouts: pulumi.Output<output.cluster.KubeconfigTimeouts | undefined>;

  // eslint-disable-next-line max-params -- the signature of every Pulumi SDK
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: KubeconfigState,
    opts?: pulumi.CustomResourceOptions,
  ): Kubeconfig {
    return new Kubeconfig(name, state as KubeconfigArgs, { ...opts, id });
  }

  static override isInstance(value: unknown): value is Kubeconfig {
    return isOfType(value, Kubeconfig.__pulumiType);
  }

  constructor(name: string, args: KubeconfigArgs, opts?: pulumi.CustomResourceOptions) {
    super(kubeconfigSpec, { name, values: args, options: opts });
  }
}
