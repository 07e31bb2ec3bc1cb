/** Looks at the engine and, where it runs here, at this machine. Changes nothing. */
import { readFileSync } from "node:fs";
import { platform } from "node:os";
import type Docker from "dockerode";
import { z } from "zod";
import { clusterEffects } from "../../../../agreed/patch-effects";
import type { DockerEngine } from "../../../../config/docker-engine";
import type { DockerClusterPlan } from "../../../../config/types";
import { dockerClient } from "../client";
import { veiled } from "../../../../base/show";
import { messageOf } from "../../../../base/text";
import type { EngineInfo, EngineNetwork, LabFacts, LabNeeds } from "./facts";
import { hostKernel } from "./kernel";
import { takenPorts } from "./ports";

const infoSchema = z.looseObject({
  OperatingSystem: z.string().default(""),
  OSType: z.string().default("linux"),
  KernelVersion: z.string().default("0"),
  CgroupVersion: z.string().default("1"),
  SecurityOptions: z.array(z.string()).nullable().default([]),
  MemTotal: z.number().default(0),
  NCPU: z.number().optional(),
  BridgeNfIptables: z.boolean().optional(),
});

export async function gatherLabFacts(plan: DockerClusterPlan, engine: DockerEngine): Promise<LabFacts> {
  const docker = dockerClient(engine);
  const about = { host: veiled(engine.host), from: engine.from };
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
    const fault = veiled(messageOf(error));
    return { ...about, engine: { reached: false, fault }, kernel: undefined, takenPorts: [] };
  }
}

export const labNeeds = (plan: DockerClusterPlan): LabNeeds => ({
  clusterName: plan.name,
  talosVersion: plan.versions.talos,
  kubernetesVersion: plan.versions.kubernetes,
  subnet: plan.docker.subnet,
  memory: plan.docker.memory * plan.nodes.length,
  cpus: Number(plan.docker.cpus),
  hostAddress: plan.docker.hostAddress,
  flannel: clusterEffects(plan.nodes).cni === "flannel",
});

function engineInfo(answer: unknown): EngineInfo {
  const info = infoSchema.parse(answer);
  return {
    operatingSystem: info.OperatingSystem,
    containers: info.OSType,
    kernel: info.KernelVersion,
    cgroupVersion: info.CgroupVersion,
    securityOptions: info.SecurityOptions ?? [],
    memoryBytes: info.MemTotal,
    cpus: info.NCPU,
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
