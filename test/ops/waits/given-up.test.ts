/** A wait ends early where what it waits for cannot come, and says why. */
import { kubeconfigFor, startCluster } from "../../../rehearsal/test/plugins/kubernetes/cluster";
import { fakeContext, machineStatus, service } from "./fakes";
import { CP, failure, makeWhole, runsOn, worldForEachTest } from "./world";

jest.setTimeout(60_000);

const world = worldForEachTest();
const { ready, api, apiAt, gate } = runsOn(world);

test.each([
  ["ready", ready],
  ["kubernetes-api", api],
  ["node", gate],
])("a lab's container that is dead ends %s early", async (_wait, run) => {
  world.containers = [{ Names: [`/${CP}`], State: "exited", Status: "Exited (137)" }];
  world.cluster.objects.clear();
  world.talosctl.answer("get machinestatus", machineStatus("10.5.0.2", "booting"));
  const context = fakeContext();
  const told = await failure(run(await world.machinesOf("docker"), context));
  expect(told).toMatch(
    /given up, it cannot come\n {2}lab-controlplane-1: last seen: its container is stopped \(Exited \(137\)\)/,
  );
  expect(context.now()).toBeLessThan(2_000);
});

test.each([
  ["docker", "failed to find cgroup mounts"],
  ["docker", "failed to parse kubelet flag: unknown flag: --x"],
  ["hetzner", "failed to parse kubelet flag: unknown flag: --x"],
] as const)(
  "%s: a kubelet that can never start ends the wait for its API server early: %s",
  async (...all) => {
    const [platform, says] = all;
    await world.cluster.stop();
    const event = `Error running Containerd(kubelet), going to restart forever: task "kubelet" failed: exit code 1 (last log "E1202 19:17:47.123456 1234 run.go:72] ${says}")`;
    world.talosctl.answer("service kubelet", service("10.5.0.2", "Waiting", "?", event));
    const context = fakeContext();
    const told = await failure(api(await world.machinesOf(platform), context));
    expect(told).toContain(
      `Kubernetes API: given up, it cannot come\n  ${CP}: last seen: kubelet Waiting: Error running`,
    );
    expect(told).toContain(says);
    expect(told).toContain("  cause: ");
    expect(told).toContain("  do:    ");
    expect(context.lines.length).toBeLessThan(4);
    world.cluster = await startCluster();
  },
);

test("hetzner: a node that does not answer is said to, and nothing breaks", async () => {
  const told = await failure(ready({ platform: "hetzner" }, fakeContext()));
  expect(told).toMatch(/^config accepted: not .*/);
  expect(told).toContain(
    `${CP}: its log cannot be read: rpc error: code = Unavailable desc = connection refused`,
  );
});

test.each([
  ["etcd", ["etcd"], "  | etcd: Waiting, health ?\n  | etcd says"],
  ["kubelet", ["kubelet"], "  | kubelet: Waiting, health ?\n  | kubelet says"],
  ["no service", [], "  | machined says"],
])("hetzner: where %s is ill, its log is told", async (_ill, ill, lines) => {
  makeWhole(world);
  for (const name of ill) world.talosctl.answer(`service ${name}`, service("10.5.0.2", "Waiting", "?"));
  world.cluster.objects.set("/api/v1/nodes", { items: [] });
  world.cluster.objects.delete("/readyz");
  expect(await failure(api({ platform: "hetzner" }, fakeContext()))).toContain(lines);
});

test("a dead server's name is never taken for a node's, even where Talos says nothing", async () => {
  const dead = apiAt(kubeconfigFor("https://127.0.0.1:1"));
  const told = await failure(dead(await world.machinesOf("docker"), fakeContext()));
  expect(told).toContain("https://127.0.0.1:1: last seen: connect ECONNREFUSED");
  expect(told).toContain(`${CP}: the last lines of its log:`);
});
