/** What the engine's kernel has to offer. Pure. */
import type { EngineInfo, HostKernel, LabNeeds } from "./facts";
import type { Finding } from "../../../preflight/finding";

export interface KernelQuestion {
  readonly info: EngineInfo;
  readonly kernel: HostKernel | undefined;
  readonly needs: LabNeeds;
}

const talosMinor = ({ talosVersion }: LabNeeds): number => Number(talosVersion.split(".")[1]);

export const kernelFindings = (question: KernelQuestion): Finding[] => [
  ...releaseFinding(question),
  ...oldKernelFinding(question),
  ...modulesFinding(question),
  ...bridgeFinding(question),
  ...ipv6Finding(question),
  ...inotifyFinding(question),
  ...legacyFinding(question),
  ...nftablesFinding(question),
];

function release({ kernel }: EngineInfo): number {
  const [major = 0, minor = 0] = kernel.split(/[.-]/).map(Number);
  return major * 1000 + minor;
}

/** Talos 1.14 lays its /etc over file descriptors, which kernels take since 6.15 (6.13 and 6.14 may have it). */
function releaseFinding({ info, needs }: KernelQuestion): Finding[] {
  if (talosMinor(needs) < 14) return [];
  if (release(info) >= 6015) return [];
  return [
    {
      level: release(info) >= 6013 ? "warning" : "stop",
      what: "kernel",
      seen: `the engine runs Linux ${info.kernel}`,
      why: `Talos ${needs.talosVersion} in a container needs 6.15 (below, it ends with: failed to set up /etc overlay, key="lowerdir+")`,
      cure: "set talosVersion to a 1.13 version, or update the engine's kernel",
    },
  ];
}

/** mount_setattr, which every Talos that is supported here uses. */
const OLDEST = 5012;

const oldKernelFinding = ({ info, needs }: KernelQuestion): Finding[] =>
  release(info) >= OLDEST || talosMinor(needs) >= 14
    ? []
    : [
        {
          level: "stop",
          what: "kernel",
          seen: `the engine runs Linux ${info.kernel}`,
          why: `Talos ${needs.talosVersion} mounts with calls that kernels have since 5.12`,
          cure: "update the engine's kernel",
        },
      ];

const modulesFinding = ({ info, kernel }: KernelQuestion): Finding[] =>
  kernel?.modules === false
    ? [
        {
          level: "warning",
          what: "kernel modules",
          seen: `those of the running kernel (${info.kernel}) are not in /lib/modules`,
          why: "after an upgrade without a boot no module can be loaded (failed to add the host (veth…) <=> sandbox (veth…) pair interface)",
          cure: "boot the machine again",
        },
      ]
    : [];

function bridgeFinding({ info, kernel, needs }: KernelQuestion): Finding[] {
  const loaded = kernel?.bridgeNetfilter ?? info.bridgeNetfilter;
  if (!needs.flannel || talosMinor(needs) >= 14 || loaded === true) return [];
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

/** Seen live: the worker hangs at `service "apid" to be "up"`, for its traffic to the control plane is dropped. */
function legacyFinding({ kernel }: KernelQuestion): Finding[] {
  if (kernel === undefined || kernel.legacyFilter === "none") return [];
  const drops = kernel.legacyFilter === "drop";
  return [
    {
      level: drops ? "stop" : "warning",
      what: "legacy iptables",
      seen: drops
        ? "its FORWARD chain drops, and nothing of Docker's is in it"
        : "its filter table is loaded beside nftables; whether its FORWARD chain drops only root can see",
      why: 'a left-over FORWARD DROP there cuts the traffic between nodes (the worker hangs at: service "apid" to be "up")',
      cure: "sudo iptables-legacy -S FORWARD; where it says DROP: sudo iptables-legacy -P FORWARD ACCEPT",
    },
  ];
}

const nftablesFinding = ({ kernel }: KernelQuestion): Finding[] =>
  kernel?.nftables === false
    ? [
        {
          level: "warning",
          what: "nftables",
          seen: "the engine's kernel has none",
          why: "one controller of Talos fails and tries again for ever, which fills its log; the rest goes on",
          cure: "nothing has to be done for a lab; a kernel with nf_tables (ip, inet) ends it",
        },
      ]
    : [];
