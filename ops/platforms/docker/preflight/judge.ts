/** Every finding of the lab's preflight, all at once. Pure. */
import { isRemote } from "../../../../config/platforms/docker/engine-address";
import type { EngineInfo, LabFacts, LabNeeds } from "./facts";
import type { Finding } from "../../../preflight/finding";
import { networkFindings } from "./judge-network";
import { kernelFindings } from "./judge-kernel";

const minor = (version: string): number => Number(version.replace(/^v/, "").split(".")[1]);

export function judgeLab(facts: LabFacts, needs: LabNeeds): Finding[] {
  const remote = remoteFinding(facts, needs);
  if (!facts.engine.reached) return [unreachable(facts, facts.engine.fault), ...remote];
  const { info, networks } = facts.engine;
  return [
    ...remote,
    ...containersFinding(info),
    ...isolationFindings(info),
    ...cgroupFinding(info, needs),
    ...kernelFindings({ info, kernel: facts.kernel, needs }),
    ...networkFindings({ networks, takenPorts: facts.takenPorts, needs }),
    ...memoryFinding(info, needs),
    ...cpuFinding(info, needs),
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

const containersFinding = ({ containers }: EngineInfo): Finding[] =>
  containers === "linux"
    ? []
    : [
        {
          level: "stop",
          what: "Linux containers",
          seen: `the engine runs ${containers} containers`,
          why: "Talos is Linux",
          cure: "Docker Desktop: Switch to Linux containers",
        },
      ];

const remoteFinding = ({ host, from }: LabFacts, { hostAddress }: LabNeeds): Finding[] =>
  isRemote(host) && hostAddress.startsWith("127.")
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

/** No patch helps: with `failCgroupV1: false` the kubelet of the real machine ended with the words below. */
function cgroupFinding({ cgroupVersion }: EngineInfo, needs: LabNeeds): Finding[] {
  if (cgroupVersion === "2") return [];
  const refused = minor(needs.kubernetesVersion) >= CGROUP_V2_SINCE_MINOR;
  return [
    {
      level: refused ? "stop" : "warning",
      what: "cgroup v2",
      seen: `cgroup version ${cgroupVersion}`,
      why: refused
        ? `the kubelet of Kubernetes ${needs.kubernetesVersion} refuses cgroup v1 (since 1.35); with failCgroupV1: false it ends all the same (failed to find cgroup mounts)`
        : `the kubelet of Kubernetes ${needs.kubernetesVersion} still takes cgroup v1, but was not tried there; that of 1.36 ends with: failed to find cgroup mounts`,
      cure: "boot the engine's machine with systemd.unified_cgroup_hierarchy=1",
    },
  ];
}

const MIB = 1024 * 1024;

const memoryFinding = ({ memoryBytes }: EngineInfo, { memory }: LabNeeds): Finding[] =>
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

/** The engine refuses a container that may use more than it has; all of them together may. */
const cpuFinding = ({ cpus }: EngineInfo, needs: LabNeeds): Finding[] =>
  cpus === undefined || cpus >= needs.cpus
    ? []
    : [
        {
          level: "stop",
          what: "CPUs",
          seen: `the engine has ${cpus}, each node may use ${needs.cpus}`,
          why: `the engine refuses such a container (Range of CPUs is from 0.01 to ${cpus.toFixed(2)}, as there are only ${cpus} CPUs available)`,
          cure: `set docker.cpus to ${cpus}, or give the engine more (colima start --cpu ${Math.ceil(needs.cpus)}; Docker Desktop: Settings, Resources)`,
        },
      ];
