import * as pulumi from "@pulumi/pulumi";
import * as talos from "@pulumiverse/talos";
import { operations } from "../agreed/operations";
import type { Limits } from "../config/types";
import { firstExpiry } from "./expiry";
import { type ApiEndpoint, reachableKubeconfig } from "./kubeconfig";
import type { MachineSecrets } from "./machine-secrets";
import { operation } from "./operation";
import { tokens } from "./tokens";
import type { Access, Bootstrapped, ClusterNode, Machines } from "./types";

export interface ClusterAccessArgs {
  readonly bootstrapped: Bootstrapped;
  readonly identity: MachineSecrets;
  readonly talosconfig: pulumi.Output<string>;
  readonly limits: Limits;
  readonly machines: Machines;
}

/** Ask for a new certificate 90 days before the old one ends; the provider's default is 30. */
const RENEWAL = "2160h";

/** Kubeconfig and talosconfig that work from where the user sits, once the Kubernetes API answers. */
export class ClusterAccess extends pulumi.ComponentResource implements Access {
  readonly kubeconfig: pulumi.Output<string>;
  readonly talosconfig: pulumi.Output<string>;
  readonly credentialsExpire: pulumi.Output<string>;

  constructor(name: string, args: ClusterAccessArgs, opts?: pulumi.ComponentResourceOptions) {
    super(tokens.access, name, {}, opts);
    const { controlPlanes } = args.bootstrapped.nodes;
    const fetched = this.fetch(name, args);
    const reachable = pulumi
      .all([fetched.kubeconfigRaw, apiEndpoints(controlPlanes)])
      .apply(([raw, endpoints]) => reachableKubeconfig(raw, endpoints));
    const answers = operation(
      `${name}-kubernetes-api`,
      {
        onCreate: operations.waitKubernetesApi,
        input: {
          kubeconfig: reachable,
          controlPlanes: pulumi.all(
            controlPlanes.map(({ name: node, address, talosEndpoint }) =>
              talosEndpoint.apply((endpoint) => ({ name: node, address, endpoint })),
            ),
          ),
          talosconfig: args.talosconfig,
          limits: args.limits,
          ...args.machines,
        },
        // A machine that was made again takes its API server with it: what uses the kubeconfig waits anew.
        triggers: controlPlanes.slice(0, 1).map((node) => node.id),
      },
      { parent: this },
    );
    // Through the wait's id, so that nobody holds a kubeconfig before the API answers.
    this.kubeconfig = pulumi.secret(pulumi.all([reachable, answers.id]).apply(([text]) => text));
    this.talosconfig = pulumi.secret(args.talosconfig);
    this.credentialsExpire = pulumi.unsecret(
      pulumi
        .all([fetched.kubernetesClientConfiguration, args.identity.clientConfiguration])
        .apply(([kubernetes, client]) =>
          firstExpiry([kubernetes.clientCertificate, client.clientCertificate]),
        ),
    );
    this.registerOutputs({ kubeconfig: this.kubeconfig, talosconfig: this.talosconfig });
  }

  private fetch(name: string, args: ClusterAccessArgs): talos.cluster.Kubeconfig {
    const [first] = args.bootstrapped.nodes.controlPlanes;
    if (first === undefined) {
      throw new Error(
        "controlPlanes: a plan without control planes passed the rules; this is a bug in talos-fleet",
      );
    }
    return new talos.cluster.Kubeconfig(
      `${name}-kubeconfig`,
      {
        clientConfiguration: args.identity.clientConfiguration,
        node: first.address,
        endpoint: first.talosEndpoint,
        certificateRenewalDuration: RENEWAL,
      },
      // No value flows from the bootstrap, and before it there is no cluster to log in to.
      { parent: this, dependsOn: [args.bootstrapped.founded] },
    );
  }
}

const apiEndpoints = (controlPlanes: readonly ClusterNode[]): pulumi.Output<ApiEndpoint[]> =>
  pulumi.all(
    controlPlanes.flatMap(({ name, kubernetesEndpoint }) =>
      kubernetesEndpoint === undefined
        ? []
        : [kubernetesEndpoint.apply((server) => ({ node: name, server }))],
    ),
  );
