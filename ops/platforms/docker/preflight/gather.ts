/** Looks at the engine and, where it runs here, at this machine. Changes nothing. */
import { existsSync, readFileSync } from "node:fs";
import { platform } from "node:os";
import type Docker from "dockerode";
import { z } from "zod";
import { clusterEffects } from "../../../../agreed/patch-effects";
import type { DockerEngine } from "../../../../config/docker-engine";
import type { DockerClusterPlan } from "../../../../config/types";
import { dockerClient } from "../client";
import { takenPorts } from "./ports";
import type { EngineInfo, EngineNetwork, HostKernel, LabFacts, LabWishes } from "./facts";
import { messageOf } from "../../../../base/text";

const infoSchema = z.looseObject({
  OperatingSystem: z.string().default(""),
  KernelVersion: z.string().default("0"),
  CgroupVersion: z.string().default("1"),
  SecurityOptions: z.array(z.string()).nullable().default([]),
  MemTotal: z.number().default(0),
  BridgeNfIptables: z.boolean().optional(),
});

export async function gatherLabFacts(plan: DockerClusterPlan, engine: DockerEngine): Promise<LabFacts> {
  const docker = dockerClient(engine);
  const about = { host: engine.host, from: engine.from };
  try {
    const [info, networks, containers] = await Promise.all([
      docker.info() as Promise<unknown>,
      docker.listNetworks(),
      docker.listContainers(),
    ]);
    const seen = engineInfo(info);
    return {
      ...about,
      engine: { reached: true, info: seen, networks: networks.map(engineNetwork) },
      kernel: runsHere(engine, seen) ? hostKernel() : undefined,
      takenPorts: await takenPorts(plan, containers),
    };
  } catch (error) {
    const fault = messageOf(error);
    return { ...about, engine: { reached: false, fault }, kernel: undefined, takenPorts: [] };
  }
}

export const labWishes = (plan: DockerClusterPlan): LabWishes => ({
  clusterName: plan.name,
  talosVersion: plan.versions.talos,
  kubernetesVersion: plan.versions.kubernetes,
  subnet: plan.docker.subnet,
  memory: plan.docker.memory * plan.nodes.length,
  hostAddress: plan.docker.hostAddress,
  flannel: clusterEffects(plan.nodes).cni === "flannel",
  allowsCgroupV1: plan.nodes.every(({ patches }) =>
    patches.some(({ documents }) => documents.some(takesCgroupV1)),
  ),
});

function takesCgroupV1(document: Readonly<Record<string, unknown>>): boolean {
  const extraConfig = z.looseObject({ failCgroupV1: z.literal(false) });
  return z
    .looseObject({ machine: z.looseObject({ kubelet: z.looseObject({ extraConfig }) }) })
    .safeParse(document).success;
}

function engineInfo(answer: unknown): EngineInfo {
  const info = infoSchema.parse(answer);
  return {
    operatingSystem: info.OperatingSystem,
    kernel: info.KernelVersion,
    cgroupVersion: info.CgroupVersion,
    securityOptions: info.SecurityOptions ?? [],
    memoryBytes: info.MemTotal,
    bridgeNetfilter: info.BridgeNfIptables,
  };
}

const engineNetwork = (network: Docker.NetworkInspectInfo): EngineNetwork => ({
  name: network.Name,
  subnets: (network.IPAM?.Config ?? []).flatMap(({ Subnet }) =>
    Subnet === undefined || Subnet === "" ? [] : [Subnet],
  ),
});

/** A desktop engine's socket is here, its kernel is not. */
const runsHere = ({ host }: DockerEngine, { kernel }: EngineInfo): boolean =>
  platform() === "linux" &&
  host.startsWith("unix:") &&
  readFileSync("/proc/sys/kernel/osrelease", "utf8").trim() === kernel;

const hostKernel = (): HostKernel => ({
  bridgeNetfilter: existsSync("/proc/sys/net/bridge/bridge-nf-call-iptables"),
  ipv6: existsSync("/proc/sys/net/ipv6/conf/all/disable_ipv6"),
  inotifyWatches: Number(readFileSync("/proc/sys/fs/inotify/max_user_watches", "utf8")),
});
