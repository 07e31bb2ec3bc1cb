/** A wait ends early where what it waits for cannot come, and says why. */
import { kubeconfigFor, startCluster } from "../../../rehearsal/test/plugins/kubernetes/cluster";
import { fakeContext, machineStatus, service } from "./fakes";
import { CP, failure, runsOn, worldForEachTest } from "./world";

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

test("a kubelet that can never start ends the wait for its API server early, with cause and cure", async () => {
  await world.cluster.stop();
  const event =
    'Error running Containerd(kubelet), going to restart forever: task "kubelet" failed: exit code 1 (last log "E1202 19:17:47.123456 1234 run.go:72] failed to find cgroup mounts")';
  world.talosctl.answer("service kubelet", service("10.5.0.2", "Waiting", "?", event));
  const context = fakeContext();
  const told = await failure(api(await world.machinesOf("docker"), context));
  expect(told).toContain(
    `Kubernetes API: given up, it cannot come\n  ${CP}: last seen: kubelet Waiting: Error running`,
  );
  expect(told).toContain("failed to find cgroup mounts");
  expect(told).toContain("  cause: ");
  expect(told).toContain("  do:    ");
  expect(context.lines.length).toBeLessThan(4);
  world.cluster = await startCluster();
});

test("a dead server's name is never taken for a node's, even where Talos says nothing", async () => {
  const dead = apiAt(kubeconfigFor("https://127.0.0.1:1"));
  const told = await failure(dead(await world.machinesOf("docker"), fakeContext()));
  expect(told).toContain("https://127.0.0.1:1: last seen: connect ECONNREFUSED");
  expect(told).toContain(`${CP}: the last lines of its log:`);
});
