/** Every finding of the lab's preflight, all at once. Pure. */
import type { EngineInfo, LabFacts, LabWishes } from "./facts";
import type { Finding } from "../../../preflight/finding";
import { networkFindings } from "./judge-network";
import { kernelFindings } from "./judge-kernel";

const minor = (version: string): number => Number(version.replace(/^v/, "").split(".")[1]);

export function judgeLab(facts: LabFacts, wishes: LabWishes): Finding[] {
  const remote = remoteFinding(facts, wishes);
  if (!facts.engine.reached) return [unreachable(facts, facts.engine.fault), ...remote];
  const { info, networks } = facts.engine;
  return [
    ...remote,
    ...isolationFindings(info),
    ...cgroupFinding(info, wishes),
    ...kernelFindings({ info, kernel: facts.kernel, wishes }),
    ...networkFindings({ networks, takenPorts: facts.takenPorts, wishes }),
    ...memoryFinding(info, wishes),
  ];
}

const unreachable = ({ host, from }: LabFacts, fault: string): Finding =>
  noEngine(`${host} (${from}): ${fault}`);

export const noEngine = (seen: string): Finding => ({
  level: "stop",
  what: "Docker engine",
  seen,
  why: "the lab's nodes are containers",
  cure: [
    "Linux:   sudo systemctl start docker; to install it: https://docs.docker.com/engine/install/",
    "macOS:   colima start --memory 6 (brew install colima docker), or open Docker Desktop",
    "Windows: Docker Desktop with WSL2",
    "another engine: docker.host or docker.context in the stack file, DOCKER_HOST, docker context use",
    "`make demo` needs no Docker",
  ].join("\n"),
});

const LOOPBACK = new Set(["localhost", "127.0.0.1", "::1", "[::1]"]);

/** Published ports of an engine on another machine are not on this one. */
export function isRemote(host: string): boolean {
  if (/^(unix|npipe):/.test(host)) return false;
  return !LOOPBACK.has(new URL(host).hostname);
}

const remoteFinding = ({ host, from }: LabFacts, { hostAddress }: LabWishes): Finding[] =>
  isRemote(host) && LOOPBACK.has(hostAddress)
    ? [
        {
          level: "stop",
          what: "remote engine",
          seen: `${host} (${from}), and docker.hostAddress is ${hostAddress}`,
          why: "its published ports are not on this machine, so neither API could be reached",
          cure: "set docker.hostAddress to the address at which that machine is reached from here",
        },
      ]
    : [];

function isolationFindings({ securityOptions }: EngineInfo): Finding[] {
  const has = (name: string) => securityOptions.some((option) => option.split(",").includes(`name=${name}`));
  const rootless: Finding = {
    level: "stop",
    what: "rootless engine",
    seen: "security option name=rootless",
    why: "a node is privileged only inside the user namespace, and its API never comes up (authentication handshake failed: EOF)",
    cure: "use a rootful engine: docker context use default; podman machine set --rootful",
  };
  const remapped: Finding = {
    level: "stop",
    what: "user namespaces",
    seen: "security option name=userns",
    why: "an engine with userns-remap refuses privileged containers",
    cure: 'remove "userns-remap" from /etc/docker/daemon.json and restart the engine',
  };
  return [...(has("rootless") ? [rootless] : []), ...(has("userns") ? [remapped] : [])];
}

const CGROUP_V2_SINCE_MINOR = 35;

function cgroupFinding({ cgroupVersion }: EngineInfo, wishes: LabWishes): Finding[] {
  if (cgroupVersion === "2" || minor(wishes.kubernetesVersion) < CGROUP_V2_SINCE_MINOR) return [];
  const common = { what: "cgroup v2", seen: `cgroup version ${cgroupVersion}` };
  if (wishes.allowsCgroupV1) {
    const why = "a patch lets the kubelet run on cgroup v1, which Kubernetes and Docker are about to drop";
    const cure = "boot the engine's machine with systemd.unified_cgroup_hierarchy=1 when you can";
    return [{ level: "warning", ...common, why, cure }];
  }
  const why = `the kubelet of Kubernetes ${wishes.kubernetesVersion} refuses to start on cgroup v1 (since 1.35)`;
  const cure =
    "boot the engine's machine with systemd.unified_cgroup_hierarchy=1, or let the kubelet run on v1 for now with a patch: machine.kubelet.extraConfig.failCgroupV1: false";
  return [{ level: "stop", ...common, why, cure }];
}

const MIB = 1024 * 1024;

const memoryFinding = ({ memoryBytes }: EngineInfo, { memory }: LabWishes): Finding[] =>
  memoryBytes >= memory * MIB
    ? []
    : [
        {
          level: "stop",
          what: "memory",
          seen: `the engine has ${Math.floor(memoryBytes / MIB)} MiB, the nodes may use ${memory} MiB together`,
          why: "the kernel would kill etcd or the API server",
          cure: `give the engine more (colima start --memory ${Math.ceil(memory / 1024) + 1}; Docker Desktop: Settings, Resources), or lower docker.memory`,
        },
      ];
