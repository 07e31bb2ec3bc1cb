import { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { readKubeconfig } from "../agreed/kubeconfig";
import { removeStrayKubeconfigs } from "../agreed/stray-kubeconfigs";
import { tokens } from "./tokens";
import type { Access } from "./types";

export interface KubernetesArgs {
  readonly access: Access;
  /** With the network gone the cluster is gone: a destroy need not ask its API. */
  readonly network: pulumi.Resource;
  /** A cluster that cannot be asked is taken to be as it was: without it a lab with a dead container could not be refreshed. */
  readonly mayBeDown: boolean;
}

/** The cluster as a place for objects: every addon makes its own through it. */
export class Kubernetes extends pulumi.ComponentResource {
  readonly #provider: Provider;
  readonly #network: pulumi.Resource;

  constructor(name: string, args: KubernetesArgs, opts?: pulumi.ComponentResourceOptions) {
    super(tokens.kubernetes, name, {}, opts);
    this.#network = args.network;
    args.access.kubeconfig.apply(leaveNoLogin);
    this.#provider = new Provider(
      `${name}-kubernetes`,
      {
        kubeconfig: args.access.kubeconfig,
        // Without a fixed identifier a changed kubeconfig would replace every object.
        clusterIdentifier: name,
        ...(args.mayBeDown ? { skipUpdateUnreachable: true } : {}),
      },
      { parent: this },
    );
    this.registerOutputs({});
  }

  /** For an object in the cluster that belongs to `parent`. */
  options(parent: pulumi.Resource): pulumi.CustomResourceOptions {
    return { parent, provider: this.#provider, deletedWith: this.#network };
  }
}

/** The plugin leaves the kubeconfig it was given in the temp folder; when the program ends, nobody reads it any more. */
function leaveNoLogin(kubeconfig: string): void {
  const { authority } = readKubeconfig(kubeconfig);
  process.once("exit", () => removeStrayKubeconfigs(authority));
}
