/** What the engine's kernel has to offer. Pure. */
import type { EngineInfo, HostKernel, LabWishes } from "./facts";
import type { Finding } from "../../../preflight/finding";

export interface KernelQuestion {
  readonly info: EngineInfo;
  readonly kernel: HostKernel | undefined;
  readonly wishes: LabWishes;
}

const talosMinor = ({ talosVersion }: LabWishes): number => Number(talosVersion.split(".")[1]);

export const kernelFindings = (question: KernelQuestion): Finding[] => [
  ...releaseFinding(question),
  ...bridgeFinding(question),
  ...ipv6Finding(question),
  ...inotifyFinding(question),
];

/** Talos 1.14 lays its /etc over file descriptors, which kernels take since 6.15 (6.13 and 6.14 may have it). */
function releaseFinding({ info, wishes }: KernelQuestion): Finding[] {
  if (talosMinor(wishes) < 14) return [];
  const [major = 0, minor = 0] = info.kernel.split(/[.-]/).map(Number);
  const release = major * 1000 + minor;
  if (release >= 6015) return [];
  return [
    {
      level: release >= 6013 ? "warning" : "stop",
      what: "kernel",
      seen: `the engine runs Linux ${info.kernel}`,
      why: `Talos ${wishes.talosVersion} in a container needs 6.15 (below, it ends with: failed to set up /etc overlay, key="lowerdir+")`,
      cure: "set talosVersion to a 1.13 version, or update the engine's kernel",
    },
  ];
}

function bridgeFinding({ info, kernel, wishes }: KernelQuestion): Finding[] {
  const loaded = kernel?.bridgeNetfilter ?? info.bridgeNetfilter;
  if (!wishes.flannel || talosMinor(wishes) >= 14 || loaded === true) return [];
  return [
    {
      // An engine that does not tell may well have it.
      level: loaded === undefined ? "warning" : "stop",
      what: "br_netfilter",
      seen:
        loaded === undefined
          ? "the engine does not say whether it is loaded"
          : "not loaded in the engine's kernel",
      why: "flannel stops without it (stat /proc/sys/net/bridge/bridge-nf-call-iptables), and no node becomes Ready",
      cure: loadCommand(info.operatingSystem, kernel !== undefined),
    },
  ];
}

function loadCommand(operatingSystem: string, local: boolean): string {
  if (operatingSystem.includes("Docker Desktop")) {
    return "docker run --rm --privileged --pid=host alpine nsenter -t 1 -m modprobe br_netfilter";
  }
  if (!local) return "colima ssh -- sudo modprobe br_netfilter   (other VMs: the same inside the VM)";
  return "sudo modprobe br_netfilter && echo br_netfilter | sudo tee /etc/modules-load.d/br_netfilter.conf";
}

const ipv6Finding = ({ kernel }: KernelQuestion): Finding[] =>
  kernel === undefined || kernel.ipv6
    ? []
    : [
        {
          level: "stop",
          what: "IPv6",
          seen: "switched off in the kernel (ipv6.disable=1)",
          why: "a node's container sets net.ipv6.conf.all.disable_ipv6, which is not there: it would not start",
          cure: "remove ipv6.disable=1 from the kernel command line and boot again; ipv6 addresses may stay off",
        },
      ];

const ENOUGH_WATCHES = 524_288;

const inotifyFinding = ({ kernel }: KernelQuestion): Finding[] =>
  kernel === undefined || kernel.inotifyWatches >= ENOUGH_WATCHES
    ? []
    : [
        {
          level: "warning",
          what: "inotify",
          seen: `fs.inotify.max_user_watches is ${kernel.inotifyWatches}`,
          why: "all nodes share it as one user (failed to create fsnotify watcher: too many open files)",
          cure: `sudo sysctl fs.inotify.max_user_watches=${ENOUGH_WATCHES}`,
        },
      ];
