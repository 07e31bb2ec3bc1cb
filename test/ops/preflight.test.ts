import type { EngineInfo, HostKernel, LabFacts, LabWishes } from "../../ops/platforms/docker/preflight/facts";
import { findingText } from "../../ops/preflight/finding";
import { judgeLab } from "../../ops/platforms/docker/preflight/judge";
import { freeSubnet } from "../../ops/platforms/docker/preflight/judge-network";

const info: EngineInfo = {
  operatingSystem: "Debian GNU/Linux 12",
  kernel: "6.1.0-25-amd64",
  cgroupVersion: "2",
  securityOptions: ["name=seccomp,profile=builtin", "name=cgroupns"],
  memoryBytes: 16 * 1024 ** 3,
  bridgeNetfilter: true,
};
const kernel: HostKernel = { bridgeNetfilter: true, ipv6: true, inotifyWatches: 1_048_576 };
const wishes: LabWishes = {
  clusterName: "lab",
  talosVersion: "v1.13.10",
  kubernetesVersion: "1.35.8",
  subnet: "10.5.0.0/24",
  memory: 4096,
  hostAddress: "127.0.0.1",
  flannel: true,
  allowsCgroupV1: false,
};
const networks = [{ name: "bridge", subnets: ["172.17.0.0/16"] }];

interface Change {
  info?: Partial<EngineInfo>;
  kernel?: Partial<HostKernel> | null;
  networks?: { name: string; subnets: string[] }[];
  takenPorts?: LabFacts["takenPorts"];
  wishes?: Partial<LabWishes>;
  host?: string;
}

const findings = (change: Change = {}): string =>
  judgeLab(
    {
      engine: { reached: true, info: { ...info, ...change.info }, networks: change.networks ?? networks },
      host: change.host ?? "unix:///var/run/docker.sock",
      from: "default socket",
      kernel: change.kernel === null ? undefined : { ...kernel, ...change.kernel },
      takenPorts: change.takenPorts ?? [],
    },
    { ...wishes, ...change.wishes },
  )
    .map(findingText)
    .join("\n");

test("a good engine gives no finding", () => {
  expect(findings()).toBe("");
});

test.each<[string, Change, string]>([
  [
    "rootless",
    { info: { securityOptions: ["name=seccomp,profile=builtin", "name=rootless"] } },
    `stop  rootless engine
      seen: security option name=rootless
      why:  a node is privileged only inside the user namespace, and its API never comes up (authentication handshake failed: EOF)
      do:   use a rootful engine: docker context use default; podman machine set --rootful`,
  ],
  [
    "user namespaces",
    { info: { securityOptions: ["name=userns"] } },
    `stop  user namespaces
      seen: security option name=userns
      why:  an engine with userns-remap refuses privileged containers
      do:   remove "userns-remap" from /etc/docker/daemon.json and restart the engine`,
  ],
  [
    "cgroup v1 with Kubernetes 1.35",
    { info: { cgroupVersion: "1" } },
    `stop  cgroup v2
      seen: cgroup version 1
      why:  the kubelet of Kubernetes 1.35.8 refuses to start on cgroup v1 (since 1.35)
      do:   boot the engine's machine with systemd.unified_cgroup_hierarchy=1, or let the kubelet run on v1 for now with a patch: machine.kubelet.extraConfig.failCgroupV1: false`,
  ],
  [
    "cgroup v1 that a patch allows",
    { info: { cgroupVersion: "1" }, wishes: { allowsCgroupV1: true } },
    `warn  cgroup v2
      seen: cgroup version 1
      why:  a patch lets the kubelet run on cgroup v1, which Kubernetes and Docker are about to drop
      do:   boot the engine's machine with systemd.unified_cgroup_hierarchy=1 when you can`,
  ],
  [
    "cgroup v1 with Kubernetes 1.34",
    { info: { cgroupVersion: "1" }, wishes: { kubernetesVersion: "1.34.9" } },
    "",
  ],
  [
    "Talos 1.14 on an old kernel",
    { wishes: { talosVersion: "v1.14.0" } },
    `stop  kernel
      seen: the engine runs Linux 6.1.0-25-amd64
      why:  Talos v1.14.0 in a container needs 6.15 (below, it ends with: failed to set up /etc overlay, key="lowerdir+")
      do:   set talosVersion to a 1.13 version, or update the engine's kernel`,
  ],
  [
    "Talos 1.14 on 6.14",
    { wishes: { talosVersion: "v1.14.0" }, info: { kernel: "6.14.2-orbstack" } },
    `warn  kernel
      seen: the engine runs Linux 6.14.2-orbstack
      why:  Talos v1.14.0 in a container needs 6.15 (below, it ends with: failed to set up /etc overlay, key="lowerdir+")
      do:   set talosVersion to a 1.13 version, or update the engine's kernel`,
  ],
  [
    "Talos 1.14 on 6.15, without br_netfilter",
    { wishes: { talosVersion: "v1.14.0" }, info: { kernel: "6.15.0" }, kernel: { bridgeNetfilter: false } },
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
    { kernel: { bridgeNetfilter: false }, wishes: { flannel: false } },
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
  [
    "the subnet is taken",
    { networks: [...networks, { name: "shop", subnets: ["10.5.0.0/16"] }] },
    `stop  subnet
      seen: docker.subnet 10.5.0.0/24 overlaps network shop (10.5.0.0/16)
      why:  the engine refuses a second network there (Pool overlaps with other one on this address space)
      do:   set docker.subnet to 10.6.0.0/24, or remove the other: docker network rm shop`,
  ],
  ["the lab's own network is no clash", { networks: [{ name: "lab", subnets: ["10.5.0.0/24"] }] }, ""],
  [
    "a port is taken",
    {
      takenPorts: [
        { port: 6443, by: "container kind-control-plane", key: "docker.kubernetesPort", free: 6444 },
        { port: 50000, by: "", key: "docker.talosPort", free: undefined },
      ],
    },
    `stop  port
      seen: 6443 is in use by container kind-control-plane
      why:  the lab publishes its APIs on fixed ports, so that kubeconfig and talosconfig stay valid
      do:   set docker.kubernetesPort to 6444, or stop the other program
stop  port
      seen: 50000 is in use
      why:  the lab publishes its APIs on fixed ports, so that kubeconfig and talosconfig stay valid
      do:   set docker.talosPort to a free port, or stop the other program`,
  ],
  [
    "little memory",
    { info: { memoryBytes: 2048 * 1024 ** 2 } },
    `stop  memory
      seen: the engine has 2048 MiB, the nodes may use 4096 MiB together
      why:  the kernel would kill etcd or the API server
      do:   give the engine more (colima start --memory 5; Docker Desktop: Settings, Resources), or lower docker.memory`,
  ],
  [
    "a remote engine without an address",
    { host: "ssh://me@builder.example.net", kernel: null },
    `stop  remote engine
      seen: ssh://me@builder.example.net (default socket), and docker.hostAddress is 127.0.0.1
      why:  its published ports are not on this machine, so neither API could be reached
      do:   set docker.hostAddress to the address at which that machine is reached from here`,
  ],
  [
    "a remote engine with an address",
    { host: "tcp://192.0.2.7:2376", kernel: null, wishes: { hostAddress: "192.0.2.7" } },
    "",
  ],
])("%s", (_kind, change, expected) => {
  expect(findings(change)).toBe(expected);
});

test("an engine that is not there: what to install, and what needs none", () => {
  const [finding] = judgeLab(
    {
      engine: { reached: false, fault: "connect ENOENT /var/run/docker.sock" },
      host: "unix:///var/run/docker.sock",
      from: "default socket",
      kernel: undefined,
      takenPorts: [],
    },
    wishes,
  );
  expect(finding && findingText(finding)).toBe(`stop  Docker engine
      seen: unix:///var/run/docker.sock (default socket): connect ENOENT /var/run/docker.sock
      why:  the lab's nodes are containers
      do:   Linux:   sudo systemctl start docker; to install it: https://docs.docker.com/engine/install/
            macOS:   colima start --memory 6 (brew install colima docker), or open Docker Desktop
            Windows: Docker Desktop with WSL2
            another engine: docker.host or docker.context in the stack file, DOCKER_HOST, docker context use
            \`make demo\` needs no Docker`);
});

test("all findings at once", () => {
  const text = findings({
    info: { cgroupVersion: "1", securityOptions: ["name=rootless"], memoryBytes: 1 },
    kernel: { bridgeNetfilter: false, ipv6: false, inotifyWatches: 1 },
    takenPorts: [{ port: 50000, by: "", key: "docker.talosPort", free: 50100 }],
  });
  expect(text.match(/^(stop|warn) {2}.*$/gm)).toEqual([
    "stop  rootless engine",
    "stop  cgroup v2",
    "stop  br_netfilter",
    "stop  IPv6",
    "warn  inotify",
    "stop  port",
    "stop  memory",
  ]);
});

test("a free subnet is one that overlaps nobody's", () => {
  expect(freeSubnet(["172.17.0.0/16"])).toBe("10.5.0.0/24");
  expect(freeSubnet(["10.5.0.0/23", "fd00::/64"])).toBe("10.5.2.0/24");
});
