/** Which of the lab's ports somebody else has, and which to take instead. */
import { createServer } from "node:net";
import type Docker from "dockerode";
import { clusterOf } from "../../../../agreed/labels/docker";
import type { DockerClusterPlan } from "../../../../config/types";
import type { TakenPort } from "./facts";

/** Who publishes a port: its container's name; empty for this cluster's own, undefined for nobody. */
type OwnerOf = (port: number) => string | undefined;

interface Question {
  readonly ownerOf: OwnerOf;
  readonly address: string;
}

/** Ports of the plan that are in use, but not by the cluster itself. */
export async function takenPorts(
  plan: DockerClusterPlan,
  containers: readonly Docker.ContainerInfo[],
): Promise<TakenPort[]> {
  const question = { ownerOf: ownersOf(plan.name, containers), address: plan.docker.hostAddress };
  const talosPorts = plan.nodes.map(({ talosPort }) => talosPort);
  const talos = await usersOf(talosPorts, question);
  const kubernetes = await usersOf([plan.docker.kubernetesPort], question);
  const offsets = talosPorts.map((port) => port - plan.docker.talosPort);
  const [freeTalos, freeKubernetes] = await Promise.all([
    talos.length > 0 ? firstFree(candidates(plan.docker.talosPort, TALOS_STEP), { ...question, offsets }) : 0,
    kubernetes.length > 0
      ? firstFree(candidates(plan.docker.kubernetesPort, 1), { ...question, offsets: [0] })
      : 0,
  ]);
  return [
    ...talos.map((user) => ({ ...user, key: "docker.talosPort" as const, free: freeTalos })),
    ...kubernetes.map((user) => ({ ...user, key: "docker.kubernetesPort" as const, free: freeKubernetes })),
  ];
}

/** A lab has a port for each node: the next one starts well above. */
const TALOS_STEP = 100;
const TRIES = 50;
const HIGHEST_PORT = 65535;

const candidates = (from: number, step: number): number[] =>
  Array.from({ length: TRIES }, (_, index) => from + step * (index + 1));

function ownersOf(cluster: string, containers: readonly Docker.ContainerInfo[]): OwnerOf {
  return (port) => {
    const owner = containers.find(({ Ports }) => Ports.some(({ PublicPort }) => PublicPort === port));
    if (owner === undefined) return undefined;
    return clusterOf(owner.Labels) === cluster ? "" : (owner.Names[0]?.slice(1) ?? owner.Id);
  };
}

async function usersOf(
  ports: readonly number[],
  question: Question,
): Promise<{ port: number; by: string }[]> {
  const users = await Promise.all(
    ports.map(async (port) => {
      const owner = question.ownerOf(port);
      if (owner === "") return [];
      if (owner !== undefined) return [{ port, by: `container ${owner}` }];
      return (await isFree(port, question.address)) ? [] : [{ port, by: "" }];
    }),
  );
  return users.flat();
}

/** The first candidate that is free with all its offsets. */
async function firstFree(
  bases: readonly number[],
  question: Question & { readonly offsets: readonly number[] },
): Promise<number | undefined> {
  for (const base of bases) {
    const ports = question.offsets.map((offset) => base + offset);
    if (ports.some((port) => port > HIGHEST_PORT)) return undefined;
    if ((await usersOf(ports, question)).length === 0) return base;
  }
  return undefined;
}

/** Only an address of this machine can be tried. */
function isFree(port: number, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code !== "EADDRINUSE"));
    server.listen(port, address, () => server.close(() => resolve(true)));
  });
}
