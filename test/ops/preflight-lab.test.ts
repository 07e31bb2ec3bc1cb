import { findingText } from "../../ops/preflight/finding";
import { judgeLab } from "../../ops/platforms/docker/preflight/judge";
import { freeSubnet } from "../../ops/platforms/docker/preflight/judge-network";
import { type Change, findings, needs, networks } from "./preflight-lab-facts";

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
    "one CPU",
    { info: { cpus: 1 } },
    `stop  CPUs
      seen: the engine has 1, each node may use 2
      why:  the engine refuses such a container (Range of CPUs is from 0.01 to 1.00, as there are only 1 CPUs available)
      do:   set docker.cpus to 1, or give the engine more (colima start --cpu 2; Docker Desktop: Settings, Resources)`,
  ],
  ["as many CPUs as one node may use, though there are two nodes", { info: { cpus: 2 } }, ""],
  ["an engine that does not tell its CPUs", { info: { cpus: undefined } }, ""],
  [
    "Windows containers",
    { info: { containers: "windows" } },
    `stop  Linux containers
      seen: the engine runs windows containers
      why:  Talos is Linux
      do:   Docker Desktop: Switch to Linux containers`,
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
    { host: "tcp://192.0.2.7:2376", kernel: null, needs: { hostAddress: "192.0.2.7" } },
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
    needs,
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
