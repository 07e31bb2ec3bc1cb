import * as docker from "@pulumi/docker";
import * as pulumi from "@pulumi/pulumi";
import type { DockerClusterPlan, DockerNodePlan } from "../../../config/types";
import { tokens } from "../../tokens";
import type { Turns } from "../../turns";
import type { ClusterNode, Image } from "../../types";
import * as spec from "./container";
import { clusterLabels, nodeLabels } from "../../../agreed/labels/docker";
import type { DockerNetwork } from "./network";

export interface DockerNodesArgs {
  readonly plan: DockerClusterPlan;
  readonly network: DockerNetwork;
  readonly image: Image;
  readonly turns: Turns;
}

interface Place {
  readonly image: docker.RemoteImage;
  readonly first: boolean;
  /** What has to be over before: never are two nodes down at once. */
  readonly after: readonly pulumi.Resource[];
}

/**
 * One container a node, in maintenance mode: nothing secret goes in, so `docker inspect` shows none. A container that is
 * made again (another Talos version) takes its turn: the next one waits until the node is back.
 */
export class DockerNodes extends pulumi.ComponentResource {
  readonly nodes: readonly ClusterNode[];
  readonly #args: DockerNodesArgs;

  constructor(name: string, args: DockerNodesArgs, opts?: pulumi.ComponentResourceOptions) {
    super(tokens.dockerNodes, name, {}, opts);
    this.#args = args;
    const image = new docker.RemoteImage(
      `${name}-image`,
      // Kept on destroy: another lab may use it, and a pull is slow.
      { name: args.plan.docker.image, keepLocally: true },
      this.childOptions(),
    );
    const { nodes } = args.plan;
    this.nodes = args.turns.each(nodes, (node, after) =>
      this.node(node, { image, first: node.name === nodes[0]?.name, after }),
    );
    this.registerOutputs({});
  }

  private childOptions(after: readonly pulumi.Resource[] = []): pulumi.CustomResourceOptions {
    const { network, image } = this.#args;
    // A refused schematic or config must stop the run before there is anything to clean up.
    return { parent: this, provider: network.provider, dependsOn: [...image.proofs, ...after] };
  }

  private node(node: DockerNodePlan, place: Place): ClusterNode {
    const { docker: settings } = this.#args.plan;
    const container = this.container(node, place);
    return {
      name: node.name,
      role: node.role,
      id: container.id,
      address: node.address,
      talosEndpoint: pulumi.output(spec.endpointOf(settings, node)),
      ...(place.first
        ? { kubernetesEndpoint: pulumi.output(`https://${settings.hostAddress}:${settings.kubernetesPort}`) }
        : {}),
    };
  }

  private container(node: DockerNodePlan, place: Place): docker.Container {
    const { plan, network } = this.#args;
    const facts: spec.ContainerFacts = {
      node,
      docker: plan.docker,
      talosVersion: plan.versions.talos,
      publishKubernetes: place.first,
    };
    return new docker.Container(
      node.name,
      {
        name: node.name,
        hostname: node.name,
        // The reference, not the image's id: the plugin reads ids back differently on some engines.
        image: place.image.name,
        envs: ["PLATFORM=container", `TALOSSKU=${spec.sku(plan.docker)}`],
        labels: spec.labelArgs(nodeLabels(plan.name, node.role)),
        privileged: true,
        // Both: the engine adds the second to privileged containers, and a difference replaces the node.
        securityOpts: ["seccomp=unconfined", "label=disable"],
        readOnly: true,
        mounts: [...spec.tmpfsMounts(), ...this.volumes(node)],
        sysctls: { "net.ipv6.conf.all.disable_ipv6": "0" },
        cpus: plan.docker.cpus,
        memory: plan.docker.memory,
        // The engine's own default, which would show as a change in every preview.
        memorySwap: 2 * plan.docker.memory,
        networksAdvanced: [{ name: network.network.name, ipv4Address: node.address }],
        ports: spec.portsOf(facts),
        restart: "unless-stopped",
        stopTimeout: spec.GRACE_SECONDS,
        destroyGraceSeconds: spec.GRACE_SECONDS,
        removeVolumes: true,
        mustRun: true,
        attach: false,
        logs: false,
        wait: false,
      },
      {
        ...this.childOptions(place.after),
        // Talos shows the memory in one of them, and a change would replace the node; memory itself changes in place.
        ignoreChanges: ["envs"],
      },
    );
  }

  /** All named and labelled, so that nothing is left that a sweep by label would miss. */
  private volumes(node: DockerNodePlan) {
    const { talos } = this.#args.plan.versions;
    const durable = spec.DURABLE_VOLUMES.map((target) => ({ target, version: "" }));
    const ofImage = spec.imageVolumes(talos).map((target) => ({ target, version: `-${talos}` }));
    return [...durable, ...ofImage].map(({ target, version }) => {
      const name = spec.volumeName(node.name, target);
      const volume = new docker.Volume(
        name,
        { name: `${name}${version}`, labels: spec.labelArgs(clusterLabels(this.#args.plan.name)) },
        this.childOptions(),
      );
      return { type: "volume", target, source: volume.name };
    });
  }
}
