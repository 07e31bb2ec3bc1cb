import { causeOf } from "../../../ops/platforms/docker/causes";
import type { LiveMachines } from "../../../ops/platforms/select";
import { explained } from "../../../ops/waits/explain";
import { withoutFrames } from "../../../ops/platforms/docker/logs";
import { type Wait, seen, walk } from "../../../ops/waits/wait";

/** The lab's own causes over logs of the test's. */
const machines = (log: LiveMachines["log"]): LiveMachines => ({
  log,
  inVain: async () => ({}),
  cause: causeOf,
});
const nodes = [{ name: "lab-worker-1", role: "worker" as const }];

test.each([
  [
    'failed to set up /etc overlay: FSCONFIG_SET_FD failed: bad file descriptor: key="lowerdir+" fd=4',
    "connection reset by peer",
    "this Talos needs Linux 6.15 in a container, and the engine's kernel is older",
    "set talosVersion to a 1.13 version, or update the engine's kernel",
    true,
  ],
  [
    "Failed to check br_netfilter: stat /proc/sys/net/bridge/bridge-nf-call-iptables: no such file or directory",
    "Ready is False",
    "br_netfilter is not loaded in the engine's kernel, and flannel stops without it",
    "sudo modprobe br_netfilter on the engine's machine (Colima: colima ssh -- sudo modprobe br_netfilter)",
    false,
  ],
  [
    "kubelet is configured to not run on a host using cgroup v1",
    "not registered",
    "the kubelet of Kubernetes 1.35 and later does not run on cgroup v1",
    "boot the engine's machine with cgroup v2 (systemd.unified_cgroup_hierarchy=1); the kubelet's failCgroupV1: false alone does not help",
    true,
  ],
  [
    'exit code 1 (last log "err=failed to find cgroup mounts")',
    "kubelet Waiting",
    "the kubelet finds no cgroups that it can use: the engine runs on cgroup v1",
    "boot the engine's machine with cgroup v2 (systemd.unified_cgroup_hierarchy=1); the kubelet's failCgroupV1: false alone does not help",
    true,
  ],
  [
    "failed to create fsnotify watcher: too many open files",
    "not registered",
    "the engine's machine has run out of inotify instances or watches",
    "sudo sysctl fs.inotify.max_user_instances=8192 fs.inotify.max_user_watches=524288",
    false,
  ],
  [
    "exec /sbin/init: argument list too long",
    "connection refused",
    "something too long was put into the container's environment",
    "remove it: configs go over the Talos API, not into the environment",
    true,
  ],
  [
    "this machine is reachable at: 10.5.0.2",
    "127.0.0.1:50000 does not answer",
    "the node runs, but its published port is not reachable from here: a firewall, or an engine that does not forward ports",
    "let 127.0.0.1 through in the firewall (ufw, firewalld), or set docker.hostAddress to the engine's address",
    false,
  ],
  [
    'service[etcd](Waiting)\nservice[kubelet](Waiting): Waiting for service "apid" to be "up"\n',
    "no answer",
    "the node cannot reach the control planes: something drops traffic between the containers, often a legacy iptables rule that was left over",
    "sudo iptables-legacy -P FORWARD ACCEPT on the engine's machine (iptables-legacy -S FORWARD shows it)",
    false,
  ],
])("%s", (...[log, seen, cause, cure, final]) => {
  expect(causeOf(log, seen)).toEqual({ cause, cure, final });
});

test("an unknown log has no cause, and neither has a silent port of a silent node", () => {
  expect(causeOf("service[apid](Running)", "stage booting")).toBeUndefined();
  expect(causeOf("", "127.0.0.1:50000 does not answer")).toBeUndefined();
  // A node that has got past it says so, too.
  expect(
    causeOf('Waiting for service "apid" to be "up"\nservice[apid](Running)', "not ready"),
  ).toBeUndefined();
});

test("a failed wait is told with the node's last lines and the cause", async () => {
  const wait: Wait = {
    name: "Talos API",
    limitSeconds: 0,
    look: async () => seen({ "lab-worker-1": "ECONNRESET" }),
  };
  const failed = explained(
    {
      machines: machines(
        async (node) => `booting ${node}\nfailed to set up /etc overlay key="lowerdir+" fd=4\n`,
      ),
      nodes,
    },
    () => walk([wait]),
  );
  await expect(failed).rejects.toThrow(`Talos API: not reached within 0 s
  lab-worker-1: last seen: ECONNRESET
lab-worker-1: the last lines of its log:
  | booting lab-worker-1
  | failed to set up /etc overlay key="lowerdir+" fd=4
  cause: this Talos needs Linux 6.15 in a container, and the engine's kernel is older
  do:    set talosVersion to a 1.13 version, or update the engine's kernel`);
});

const never = (pending: Record<string, string>): Wait => ({
  name: "Kubernetes API",
  limitSeconds: 0,
  look: async () => seen(pending),
});
const whole = [
  { name: "lab-controlplane-1", role: "controlplane" as const },
  { name: "lab-controlplane-2", role: "controlplane" as const },
  ...nodes,
];

test("what is pending and no node is told with the logs of all control planes; nothing else is asked for", async () => {
  const asked: string[] = [];
  const log = async (node: string) => {
    asked.push(node);
    return `${node} is up\n`;
  };
  const failed = explained({ machines: machines(log), nodes: whole }, () =>
    walk([never({ "https://127.0.0.1:6443": "socket hang up" })]),
  );
  await expect(failed).rejects.toThrow(`Kubernetes API: not reached within 0 s
  https://127.0.0.1:6443: last seen: socket hang up
lab-controlplane-1: the last lines of its log:
  | lab-controlplane-1 is up
lab-controlplane-2: the last lines of its log:
  | lab-controlplane-2 is up`);
  expect(asked).toEqual(["lab-controlplane-1", "lab-controlplane-2"]);
});

test("what has no log is told without one, and why", async () => {
  const failed = explained(
    { machines: machines(async () => Promise.reject(new Error("no such container\nmore"))), nodes: whole },
    () => walk([never({ CoreDNS: "0 of 2 replicas ready" })]),
  );
  await expect(failed).rejects.toThrow(`  CoreDNS: last seen: 0 of 2 replicas ready
lab-controlplane-1: its log cannot be read: no such container
lab-controlplane-2: its log cannot be read: no such container`);
});

test("a cause that only the last sight of a node gives away is told, too", async () => {
  const failed = explained({ machines: machines(async () => undefined), nodes: whole }, () =>
    walk([never({ "lab-controlplane-1": "kubelet Waiting: failed to find cgroup mounts" })]),
  );
  await expect(failed).rejects.toThrow(
    "lab-controlplane-1:\n  cause: the kubelet finds no cgroups that it can use: the engine runs on cgroup v1\n  do:    boot",
  );
});

test("log frames of the engine are taken off", () => {
  const frame = (text: string) => {
    const header = Buffer.alloc(8);
    header.writeUInt8(1, 0);
    header.writeUInt32BE(Buffer.byteLength(text), 4);
    return Buffer.concat([header, Buffer.from(text)]);
  };
  expect(withoutFrames(Buffer.concat([frame("one\n"), frame("two\n")]))).toBe("one\ntwo\n");
});
