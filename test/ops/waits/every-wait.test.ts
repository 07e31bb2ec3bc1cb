/** Every wait fails on both platforms: what never comes is named, in words, with what the platform has to say of it. */
import { fakeContext, machineStatus, service } from "./fakes";
import { CP, DEPLOYMENT, failure, makeWhole, type Run, runsOn, worldForEachTest } from "./world";

jest.setTimeout(60_000);

const world = worldForEachTest();
const { ready, api, gate, founding } = runsOn(world);

const noPort = () => void (world.node = { ...world.node, endpoint: "127.0.0.1:1" });
const noEtcd = () => world.talosctl.answer("service etcd", service("10.5.0.2", "Running", "Fail"));
const booting = () => world.talosctl.answer("get machinestatus", machineStatus("10.5.0.2", "booting"));
const installing = () => world.talosctl.answer("get machinestatus", machineStatus("10.5.0.2", "installing"));
const unfounded = () => {
  world.talosctl.answer("etcd members", "");
  world.talosctl.answer("service etcd", service("10.5.0.2", "Preparing", "?"));
};

const CASES: readonly (readonly [wait: string, run: Run, loss: () => void, message: RegExp])[] = [
  [
    "ready: Talos API",
    ready,
    noPort,
    /^Talos API: not reached within 3 s\n {2}lab-controlplane-1: last seen: connect ECONNREFUSED/,
  ],
  [
    "ready: config",
    ready,
    installing,
    /^config accepted: not .*\n {2}lab-controlplane-1: last seen: stage installing/,
  ],
  [
    "ready: etcd",
    ready,
    noEtcd,
    /^etcd: not .*\n {2}lab-controlplane-1: last seen: etcd service Running, health Fail/,
  ],
  [
    "ready: Kubernetes API",
    ready,
    () => world.cluster.objects.delete("/readyz"),
    /^Kubernetes API: not .*\n {2}lab-controlplane-1: last seen: kubelet runs, kube-apiserver is not there yet\n {2}https:.*\/readyz answers 404/,
  ],
  [
    "ready: nodes",
    ready,
    () => world.cluster.objects.set("/api/v1/nodes", { items: [] }),
    /^nodes Ready: not .*\n {2}lab-controlplane-1: last seen: not registered/,
  ],
  [
    "ready: CoreDNS",
    ready,
    () => world.cluster.objects.delete(DEPLOYMENT),
    /^CoreDNS: not .*\n {2}CoreDNS: last seen: .*answers 404/,
  ],
  [
    "kubernetes-api",
    api,
    () => world.cluster.objects.delete("/readyz"),
    /^Kubernetes API: not .*\n {2}lab-controlplane-1: last seen: kubelet runs/,
  ],
  [
    "kubernetes-api: schema",
    api,
    () => void (world.cluster.ready = false),
    /^Kubernetes API's schema: not .*\n {2}\/openapi\/v2: last seen: answers 503/,
  ],
  [
    "node: Talos API",
    gate,
    noPort,
    /^Talos API: not .*\n {2}lab-controlplane-1: last seen: connect ECONNREFUSED/,
  ],
  [
    "node",
    gate,
    booting,
    /^node lab-controlplane-1: not .*\n {2}lab-controlplane-1: last seen: stage booting/,
  ],
  [
    "node: etcd",
    gate,
    noEtcd,
    /^etcd: not .*\n {2}lab-controlplane-1: last seen: etcd service Running, health Fail/,
  ],
  ["bootstrap: Talos API", founding, noPort, /^Talos API: not .*\n {2}lab-controlplane-1/],
  ["bootstrap: config", founding, installing, /^config accepted: not .*\n {2}lab-controlplane-1/],
  ["bootstrap", founding, unfounded, /^bootstrap: not .*\n {2}lab-controlplane-1: last seen: rpc error/],
  [
    "bootstrap: etcd",
    founding,
    noEtcd,
    /^etcd: not .*\n {2}lab-controlplane-1: last seen: etcd service Running, health Fail/,
  ],
];

describe.each(["docker", "hetzner"] as const)("%s", (platform) => {
  test.each(CASES)("%s never comes", async (_wait, ...[run, loss, message]) => {
    makeWhole(world);
    loss();
    const told = await failure(run(await world.machinesOf(platform), fakeContext()));
    expect(told).toMatch(message);
    if (platform === "docker") {
      expect(told).toContain(`${CP}: the last lines of its log:\n  | booting`);
      expect(told).toContain("  cause: this Talos needs Linux 6.15");
    } else {
      expect(told).toMatch(
        new RegExp(`^${CP}: the last lines of its log:\\n(  .*\\n)?  \\| \\w+ says$`, "m"),
      );
      expect(told).toContain("  cause: the kubelet refuses one of its arguments");
    }
  });

  test.each([
    ["ready", ready],
    ["kubernetes-api", api],
    ["node", gate],
    ["bootstrap", founding],
  ] as const)("%s comes where all is well", async (_wait, run) => {
    makeWhole(world);
    expect(await failure(run(await world.machinesOf(platform), fakeContext()))).toBe("it came");
  });
});
