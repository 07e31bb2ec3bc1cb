/** Causes that a node's log gives away, and their cures. Pure. */

import { causeIn, type KnownCause, kubeletCause } from "../kubelet-causes";
import type { Cause } from "../select";

const CGROUP_V2 =
  "boot the engine's machine with cgroup v2 (systemd.unified_cgroup_hierarchy=1); the kubelet's failCgroupV1: false alone does not help";

const KNOWN: readonly KnownCause[] = [
  {
    sign: /lowerdir\+|FSCONFIG_SET_FD/,
    cause: "this Talos needs Linux 6.15 in a container, and the engine's kernel is older",
    cure: "set talosVersion to a 1.13 version, or update the engine's kernel",
    final: true,
  },
  {
    sign: /bridge-nf-call-iptables|br_netfilter/,
    cause: "br_netfilter is not loaded in the engine's kernel, and flannel stops without it",
    cure: "sudo modprobe br_netfilter on the engine's machine (Colima: colima ssh -- sudo modprobe br_netfilter)",
    final: false,
  },
  {
    sign: /configured to not run on a host using cgroup v1/,
    cause: "the kubelet of Kubernetes 1.35 and later does not run on cgroup v1",
    cure: CGROUP_V2,
    final: true,
  },
  {
    sign: /failed to find cgroup mounts/,
    cause: "the kubelet finds no cgroups that it can use: the engine runs on cgroup v1",
    cure: CGROUP_V2,
    final: true,
  },
  {
    sign: /too many open files/,
    cause: "the engine's machine has run out of inotify instances or watches",
    cure: "sudo sysctl fs.inotify.max_user_instances=8192 fs.inotify.max_user_watches=524288",
    final: false,
  },
  {
    sign: /argument list too long/,
    cause: "something too long was put into the container's environment",
    cure: "remove it: configs go over the Talos API, not into the environment",
    final: true,
  },
  {
    // Every node says so while it starts; one that says it last has been waiting ever since.
    sign: /service "apid" to be "up"[^\n]*\s*$/,
    cause:
      "the node cannot reach the control planes: something drops traffic between the containers, often a legacy iptables rule that was left over",
    cure: "sudo iptables-legacy -P FORWARD ACCEPT on the engine's machine (iptables-legacy -S FORWARD shows it)",
    final: false,
  },
];

const UNREACHABLE: Cause = {
  cause:
    "the node runs, but its published port is not reachable from here: a firewall, or an engine that does not forward ports",
  cure: "let 127.0.0.1 through in the firewall (ufw, firewalld), or set docker.hostAddress to the engine's address",
  final: false,
};

/** Signs in a node that is up behind a port that does not answer. */
const BOOTED = /maintenance service|apid|reached the maintenance|this machine is reachable/i;
const NO_CONNECTION = /does not answer|ETIMEDOUT|EHOSTUNREACH/;

/** The first known cause in the log, or what the log and the last sight of the node say together. */
export function causeOf(log: string, lastSeen: string): Cause | undefined {
  const unreachable = NO_CONNECTION.test(lastSeen) && BOOTED.test(log) ? UNREACHABLE : undefined;
  return causeIn(log, KNOWN) ?? kubeletCause(log) ?? unreachable;
}
