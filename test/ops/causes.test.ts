import { causeOf } from "../../ops/platforms/docker/causes";
import { explained } from "../../ops/waits/explain";
import { withoutFrames } from "../../ops/platforms/docker/logs";
import { type Stage, sighting, walk } from "../../ops/waits/walk";

test.each([
  [
    'failed to set up /etc overlay: FSCONFIG_SET_FD failed: bad file descriptor: key="lowerdir+" fd=4',
    "connection reset by peer",
    "this Talos needs Linux 6.15 in a container, and the engine's kernel is older",
    "set talosVersion to a 1.13 version, or update the engine's kernel",
  ],
  [
    "Failed to check br_netfilter: stat /proc/sys/net/bridge/bridge-nf-call-iptables: no such file or directory",
    "Ready is False",
    "br_netfilter is not loaded in the engine's kernel, and flannel stops without it",
    "sudo modprobe br_netfilter on the engine's machine (Colima: colima ssh -- sudo modprobe br_netfilter)",
  ],
  [
    "kubelet is configured to not run on a host using cgroup v1",
    "not registered",
    "the kubelet of Kubernetes 1.35 and later does not run on cgroup v1",
    "boot the engine's machine with systemd.unified_cgroup_hierarchy=1, or let the kubelet run on v1 for now with a patch: machine.kubelet.extraConfig.failCgroupV1: false",
  ],
  [
    "failed to create fsnotify watcher: too many open files",
    "not registered",
    "the engine's machine has run out of inotify instances or watches",
    "sudo sysctl fs.inotify.max_user_instances=8192 fs.inotify.max_user_watches=524288",
  ],
  [
    "exec /sbin/init: argument list too long",
    "connection refused",
    "something too long was put into the container's environment",
    "remove it: configs go over the Talos API, not into the environment",
  ],
  [
    "this machine is reachable at: 10.5.0.2",
    "127.0.0.1:50000 does not answer",
    "the node runs, but its published port is not reachable from here: a firewall, or an engine that does not forward ports",
    "let 127.0.0.1 through in the firewall (ufw, firewalld), or set docker.hostAddress to the engine's address",
  ],
])("%s", (...[log, seen, cause, cure]) => {
  expect(causeOf(log, seen)).toEqual({ cause, cure });
});

test("an unknown log has no cause, and neither has a silent port of a silent node", () => {
  expect(causeOf("service[apid](Running)", "stage booting")).toBeUndefined();
  expect(causeOf("", "127.0.0.1:50000 does not answer")).toBeUndefined();
});

test("a failed stage is told with the node's last lines and the cause", async () => {
  const stage: Stage = {
    name: "Talos API",
    limitSeconds: 0,
    look: async () => sighting({ "lab-worker-1": "ECONNRESET" }),
  };
  const failed = explained(
    async (node) => `booting ${node}\nfailed to set up /etc overlay key="lowerdir+" fd=4\n`,
    () => walk([stage]),
  );
  await expect(failed).rejects.toThrow(`Talos API: not reached within 0 s
  lab-worker-1: last seen: ECONNRESET
lab-worker-1: the last lines of its log:
  | booting lab-worker-1
  | failed to set up /etc overlay key="lowerdir+" fd=4
  cause: this Talos needs Linux 6.15 in a container, and the engine's kernel is older
  do:    set talosVersion to a 1.13 version, or update the engine's kernel`);
});

test("what has no log is told without one", async () => {
  const stage: Stage = {
    name: "CoreDNS",
    limitSeconds: 0,
    look: async () => sighting({ CoreDNS: "0 of 2 replicas ready" }),
  };
  const failed = explained(
    async () => Promise.reject(new Error("no such container")),
    () => walk([stage]),
  );
  await expect(failed).rejects.toThrow(
    "CoreDNS: not reached within 0 s\n  CoreDNS: last seen: 0 of 2 replicas ready",
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
