/** What the engine's kernel must offer a lab. */
import { type Change, findings } from "./preflight-lab-facts";

test.each<[string, Change, string]>([
  [
    "cgroup v1 with Kubernetes 1.35",
    { info: { cgroupVersion: "1" } },
    `stop  cgroup v2
      seen: cgroup version 1
      why:  the kubelet of Kubernetes 1.35.8 refuses cgroup v1 (since 1.35); with failCgroupV1: false it ends all the same (failed to find cgroup mounts)
      do:   boot the engine's machine with systemd.unified_cgroup_hierarchy=1`,
  ],
  [
    "cgroup v1 with Kubernetes 1.34, which was not tried",
    { info: { cgroupVersion: "1" }, needs: { kubernetesVersion: "1.34.9" } },
    `warn  cgroup v2
      seen: cgroup version 1
      why:  the kubelet of Kubernetes 1.34.9 still takes cgroup v1, but was not tried there; that of 1.36 ends with: failed to find cgroup mounts
      do:   boot the engine's machine with systemd.unified_cgroup_hierarchy=1`,
  ],
  [
    "a kernel older than Talos's mounts",
    { info: { kernel: "5.10.0-32-amd64" } },
    `stop  kernel
      seen: the engine runs Linux 5.10.0-32-amd64
      why:  Talos v1.13.10 mounts with calls that kernels have since 5.12
      do:   update the engine's kernel`,
  ],
  [
    "a kernel that was upgraded and not booted",
    { kernel: { modules: false } },
    `warn  kernel modules
      seen: those of the running kernel (6.1.0-25-amd64) are not in /lib/modules
      why:  after an upgrade without a boot no module can be loaded (failed to add the host (veth…) <=> sandbox (veth…) pair interface)
      do:   boot the machine again`,
  ],
  [
    "legacy iptables that may drop",
    { kernel: { legacyFilter: "unknown" } },
    `warn  legacy iptables
      seen: its filter table is loaded beside nftables; whether its FORWARD chain drops only root can see
      why:  a left-over FORWARD DROP there cuts the traffic between nodes (the worker hangs at: service "apid" to be "up")
      do:   sudo iptables-legacy -S FORWARD; where it says DROP: sudo iptables-legacy -P FORWARD ACCEPT`,
  ],
  [
    "legacy iptables that drop",
    { kernel: { legacyFilter: "drop" } },
    `stop  legacy iptables
      seen: its FORWARD chain drops, and nothing of Docker's is in it
      why:  a left-over FORWARD DROP there cuts the traffic between nodes (the worker hangs at: service "apid" to be "up")
      do:   sudo iptables-legacy -S FORWARD; where it says DROP: sudo iptables-legacy -P FORWARD ACCEPT`,
  ],
  [
    "no nftables",
    { kernel: { nftables: false } },
    `warn  nftables
      seen: the engine's kernel has none
      why:  one controller of Talos fails and tries again for ever, which fills its log; the rest goes on
      do:   nothing has to be done for a lab; a kernel with nf_tables (ip, inet) ends it`,
  ],
  [
    "Talos 1.14 on an old kernel",
    { needs: { talosVersion: "v1.14.0" } },
    `stop  kernel
      seen: the engine runs Linux 6.1.0-25-amd64
      why:  Talos v1.14.0 in a container needs 6.15 (below, it ends with: failed to set up /etc overlay, key="lowerdir+")
      do:   set talosVersion to a 1.13 version, or update the engine's kernel`,
  ],
  [
    "Talos 1.14 on 6.14",
    { needs: { talosVersion: "v1.14.0" }, info: { kernel: "6.14.2-orbstack" } },
    `warn  kernel
      seen: the engine runs Linux 6.14.2-orbstack
      why:  Talos v1.14.0 in a container needs 6.15 (below, it ends with: failed to set up /etc overlay, key="lowerdir+")
      do:   set talosVersion to a 1.13 version, or update the engine's kernel`,
  ],
  [
    "Talos 1.14 on 6.15, without br_netfilter",
    { needs: { talosVersion: "v1.14.0" }, info: { kernel: "6.15.0" }, kernel: { bridgeNetfilter: false } },
    "",
  ],
  [
    "br_netfilter on Linux",
    { kernel: { bridgeNetfilter: false } },
    `stop  br_netfilter
      seen: not loaded in the engine's kernel
      why:  flannel stops without it (stat /proc/sys/net/bridge/bridge-nf-call-iptables), and no node becomes Ready
      do:   sudo modprobe br_netfilter && echo br_netfilter | sudo tee /etc/modules-load.d/br_netfilter.conf`,
  ],
  [
    "br_netfilter in Colima",
    { kernel: null, info: { bridgeNetfilter: false, operatingSystem: "Ubuntu 24.04.2 LTS" } },
    `stop  br_netfilter
      seen: not loaded in the engine's kernel
      why:  flannel stops without it (stat /proc/sys/net/bridge/bridge-nf-call-iptables), and no node becomes Ready
      do:   colima ssh -- sudo modprobe br_netfilter   (other VMs: the same inside the VM)`,
  ],
  [
    "br_netfilter, and Docker Desktop does not say",
    { kernel: null, info: { bridgeNetfilter: undefined, operatingSystem: "Docker Desktop" } },
    `warn  br_netfilter
      seen: the engine does not say whether it is loaded
      why:  flannel stops without it (stat /proc/sys/net/bridge/bridge-nf-call-iptables), and no node becomes Ready
      do:   docker run --rm --privileged --pid=host alpine nsenter -t 1 -m modprobe br_netfilter`,
  ],
  [
    "another CNI needs no br_netfilter",
    { kernel: { bridgeNetfilter: false }, needs: { flannel: false } },
    "",
  ],
  [
    "IPv6 switched off",
    { kernel: { ipv6: false } },
    `stop  IPv6
      seen: switched off in the kernel (ipv6.disable=1)
      why:  a node's container sets net.ipv6.conf.all.disable_ipv6, which is not there: it would not start
      do:   remove ipv6.disable=1 from the kernel command line and boot again; ipv6 addresses may stay off`,
  ],
  [
    "few inotify watches",
    { kernel: { inotifyWatches: 8192 } },
    `warn  inotify
      seen: fs.inotify.max_user_watches is 8192
      why:  all nodes share it as one user (failed to create fsnotify watcher: too many open files)
      do:   sudo sysctl fs.inotify.max_user_watches=524288`,
  ],
])("%s", (_kind, change, expected) => {
  expect(findings(change)).toBe(expected);
});
