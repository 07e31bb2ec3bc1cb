/** The container of a node: what `talosctl cluster create docker` makes, as arguments. Pure. */
import { ports } from "../../../agreed/ports";
import type { DockerNodePlan, DockerPlan } from "../../../config/types";

/** Seconds that a node gets to shut down; Docker's own ten are too few. */
export const GRACE_SECONDS = 30;

const TMPFS = ["/run", "/system", "/tmp"] as const;

/** Hold the node's identity and etcd: must survive the container. */
export const DURABLE_VOLUMES = ["/var", "/system/state"] as const;

/** Filled from the image when they are new, so they belong to one Talos version (1.14 mounts fewer). */
export function imageVolumes(talosVersion: string): readonly string[] {
  const minor = Number(talosVersion.split(".")[1]);
  return minor >= 14 ? ["/opt"] : ["/etc/cni", "/etc/kubernetes", "/usr/libexec/kubernetes", "/opt"];
}

/** `lab-worker-1` and `/system/state` give `lab-worker-1-system-state`. */
export const volumeName = (node: string, target: string): string => `${node}${target.replaceAll("/", "-")}`;

export interface ContainerFacts {
  readonly node: DockerNodePlan;
  readonly docker: DockerPlan;
  readonly talosVersion: string;
  /** The first control plane publishes the Kubernetes API. */
  readonly publishKubernetes: boolean;
}

const published = (internal: number, external: number, ip: string) => ({
  internal,
  external,
  ip,
  protocol: "tcp",
});

export const portsOf = ({ node, docker, publishKubernetes }: ContainerFacts) => [
  published(ports.talos, node.talosPort, docker.hostAddress),
  ...(publishKubernetes ? [published(ports.kubernetes, docker.kubernetesPort, docker.hostAddress)] : []),
];

export const tmpfsMounts = () => TMPFS.map((target) => ({ type: "tmpfs", target }));

/** Talos shows this as the instance type. */
export const sku = ({ cpus, memory }: DockerPlan): string => `${Number(cpus)}CPU-${memory}RAM`;

/** Where a node's Talos API is reached from here. */
export const endpointOf = (
  { hostAddress }: Pick<DockerPlan, "hostAddress">,
  { talosPort }: Pick<DockerNodePlan, "talosPort">,
): string => `${hostAddress}:${talosPort}`;

/** Labels in the form of the provider's arguments. */
export const labelArgs = (labels: Readonly<Record<string, string>>): { label: string; value: string }[] =>
  Object.entries(labels).map(([label, value]) => ({ label, value }));
