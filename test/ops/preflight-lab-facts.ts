/** A good engine, what a lab needs of it, and the findings when something of it changes. */
import type { EngineInfo, HostKernel, LabFacts, LabNeeds } from "../../ops/platforms/docker/preflight/facts";
import { findingText } from "../../ops/preflight/finding";
import { judgeLab } from "../../ops/platforms/docker/preflight/judge";

const info: EngineInfo = {
  operatingSystem: "Debian GNU/Linux 12",
  containers: "linux",
  kernel: "6.1.0-25-amd64",
  cgroupVersion: "2",
  securityOptions: ["name=seccomp,profile=builtin", "name=cgroupns"],
  memoryBytes: 16 * 1024 ** 3,
  cpus: 4,
  bridgeNetfilter: true,
};
const kernel: HostKernel = {
  bridgeNetfilter: true,
  ipv6: true,
  inotifyWatches: 1_048_576,
  modules: true,
  nftables: true,
  legacyFilter: "none",
};
export const needs: LabNeeds = {
  clusterName: "lab",
  talosVersion: "v1.13.10",
  kubernetesVersion: "1.35.8",
  subnet: "10.5.0.0/24",
  memory: 4096,
  cpus: 2,
  hostAddress: "127.0.0.1",
  flannel: true,
};
export const networks = [{ name: "bridge", subnets: ["172.17.0.0/16"] }];

export interface Change {
  info?: Partial<EngineInfo>;
  kernel?: Partial<HostKernel> | null;
  networks?: { name: string; subnets: string[] }[];
  takenPorts?: LabFacts["takenPorts"];
  needs?: Partial<LabNeeds>;
  host?: string;
}

export const findings = (change: Change = {}): string =>
  judgeLab(
    {
      engine: { reached: true, info: { ...info, ...change.info }, networks: change.networks ?? networks },
      host: change.host ?? "unix:///var/run/docker.sock",
      from: "default socket",
      kernel: change.kernel === null ? undefined : { ...kernel, ...change.kernel },
      takenPorts: change.takenPorts ?? [],
    },
    { ...needs, ...change.needs },
  )
    .map(findingText)
    .join("\n");
