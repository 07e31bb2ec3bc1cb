import { hostAddress } from "../../../base/addresses";
import { defaults, gatewayHost } from "../../defaults";
import type { Draft } from "../../draft";
import { isFaulty } from "../../faulty";
import { required } from "../../required";
import type { DockerClusterPlan, DockerPlan } from "../../types";
import type { Networks, PlanParts, PlanView, PlatformSlice } from "../slice";
import { dockerDefaults } from "./defaults";
import { dockerOwned } from "./owned";
import { nodePort } from "./ports";
import { dockerRules } from "./rules";

/** The lab: containers on one Docker engine. */
export const dockerSlice: PlatformSlice<DockerClusterPlan> = {
  defaults: dockerDefaults,
  rules: dockerRules,
  upRules: {},
  notes: {},
  owned: dockerOwned,
  networks,
  reservedHosts: () => [],
  plan,
  view,
};

/** Kubernetes' own ranges cannot be set: only the nodes' network may have to move. */
function networks(draft: Draft): Networks {
  const key = "docker.subnet";
  return {
    nodes: isFaulty(draft, key) ? undefined : { key, cidr: draft.docker?.subnet ?? dockerDefaults.subnet },
    pods: { key: "the pod range", cidr: defaults.pods },
    services: { key: "the service range", cidr: defaults.services },
    repair: "move docker.subnet",
  };
}

function plan({ draft, layout, base, nodes }: PlanParts): DockerClusterPlan {
  const docker = dockerPlan(draft, base.versions.talos);
  return {
    ...base,
    platform: "docker",
    docker,
    nodes: layout.map((node, index) => ({
      ...required(nodes[index]),
      talosPort: nodePort(docker.talosPort, required(node.host)),
    })),
  };
}

function dockerPlan({ docker }: Draft, talosVersion: string): DockerPlan {
  const { host, context, cpus = dockerDefaults.cpus, ...rest } = docker ?? {};
  const subnet = rest.subnet ?? dockerDefaults.subnet;
  return {
    subnet,
    gateway: hostAddress(subnet, gatewayHost),
    talosPort: rest.talosPort ?? dockerDefaults.talosPort,
    kubernetesPort: rest.kubernetesPort ?? dockerDefaults.kubernetesPort,
    cpus: Number.isInteger(cpus) ? `${cpus}.0` : String(cpus),
    memory: rest.memory ?? dockerDefaults.memory,
    image: rest.image ?? `${dockerDefaults.image}:${talosVersion}`,
    hostAddress: rest.hostAddress ?? dockerDefaults.hostAddress,
    ...(host === undefined ? {} : { host }),
    ...(context === undefined ? {} : { context }),
  };
}

function view({ docker, nodes }: DockerClusterPlan): PlanView {
  return {
    network: `nodes ${docker.subnet}, Kubernetes API on ${docker.hostAddress}:${docker.kubernetesPort}`,
    columns: ["talos port"],
    cells: nodes.map(({ talosPort }) => [String(talosPort)]),
    lines: [],
    json: {},
  };
}
