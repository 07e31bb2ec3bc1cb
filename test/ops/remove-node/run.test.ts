import type { NodeInput } from "../../../agreed/operations";
import type { Talosctl, TalosctlAnswer } from "../../../ops/clients/talosctl";
import { nodeObjects } from "../../../ops/remove-node/node-object";
import { removeNode } from "../../../ops/remove-node/run";
import {
  type Cluster,
  kubeconfigFor,
  startCluster,
} from "../../../rehearsal/test/plugins/kubernetes/cluster";
import { fakeContext, memberTable, service } from "../waits/fakes";

const node = (name: string, role: NodeInput["role"] = "controlplane"): NodeInput => ({
  ...{ name, role, address: name, endpoint: `${name}:50000` },
});
const planes = ["cp-1", "cp-2", "cp-3"].map((name) => node(name));
const ok = (stdout = ""): TalosctlAnswer => ({ ok: true, stdout, stderr: "" });
const fault = (stderr: string): TalosctlAnswer => ({ ok: false, stdout: "", stderr });

interface World {
  members: string[];
  /** Nodes that do not answer. */
  readonly dead?: readonly string[];
  /** What the first leaves answer instead of leaving. */
  readonly refusals?: string[];
  readonly objects?: string[];
}

/** etcd as its members: `leave` and `remove-member` change them. */
function rig(world: World) {
  const calls: string[] = [];
  const talosctl: Talosctl = {
    async run({ nodes: [at = ""] }, args) {
      const call = args.join(" ");
      if (call !== "etcd members" && call !== "service etcd") calls.push(`${at}: ${call}`);
      if (world.dead?.includes(at) === true) return fault("no answer within 20 s");
      if (call === "service etcd")
        return ok(service(at, "Running", world.members.includes(at) ? "OK" : "Fail"));
      if (!world.members.includes(at)) return fault("etcd is not running");
      if (call === "etcd members") return ok(memberTable(...world.members));
      const refusal = call === "etcd leave" ? world.refusals?.shift() : undefined;
      if (refusal !== undefined) return fault(refusal);
      const gone = call === "etcd leave" ? at : world.members[Number(args[2]?.slice(1))];
      world.members = world.members.filter((name) => name !== gone);
      return ok();
    },
  };
  const objects = {
    remove: async (name: string) => {
      calls.push(`kubernetes: ${name}`);
      return world.objects?.includes(name) === true;
    },
  };
  const context = fakeContext();
  const remove = (name: string, role: NodeInput["role"] = "controlplane") =>
    removeNode({ talosctl, node: node(name, role), controlPlanes: planes, objects }, context);
  return { calls, remove, lines: context.lines };
}

test("a control plane leaves by itself, then goes from Kubernetes", async () => {
  const { calls, lines, remove } = rig({ members: ["cp-1", "cp-2", "cp-3"], objects: ["cp-3"] });
  await remove("cp-3");
  expect(calls).toEqual(["cp-3: etcd leave", "kubernetes: cp-3"]);
  expect(lines).toEqual(["cp-3: has left etcd", "cp-3: removed from Kubernetes"]);
});

test("one that does not answer is removed by its id through another", async () => {
  const world = { members: ["cp-1", "cp-2", "cp-3"], dead: ["cp-3"] };
  const { calls, lines, remove } = rig(world);
  await remove("cp-3");
  expect(calls).toEqual(["cp-3: etcd leave", "cp-1: etcd remove-member a2", "kubernetes: cp-3"]);
  expect(world.members).toEqual(["cp-1", "cp-2"]);
  expect(lines[0]).toBe("cp-3: does not leave by itself (no answer within 20 s): removed through cp-1");
});

test("from three to one, one after the other; a repetition finds everything done", async () => {
  const world = { members: ["cp-1", "cp-2", "cp-3"] };
  const { lines, remove } = rig(world);
  await remove("cp-3");
  await remove("cp-2");
  expect(world.members).toEqual(["cp-1"]);
  lines.length = 0;
  await remove("cp-2");
  expect(lines).toEqual(["cp-2: not in etcd (any more)", "cp-2: not in Kubernetes (any more)"]);
});

test("what would cost the others their majority is refused, and nothing is removed", async () => {
  const { calls, remove } = rig({ members: ["cp-1", "cp-2", "cp-3"], dead: ["cp-2"] });
  await expect(remove("cp-3")).rejects.toThrow(
    "cp-3: cannot leave etcd: of the 2 others 1 would be healthy, and etcd needs 2 of them; mend cp-2 first; nothing was removed",
  );
  expect(calls).toEqual([]);
});

test("where nobody tells the members, nothing is believed", async () => {
  const { calls, remove } = rig({ members: [], dead: ["cp-1"] });
  await expect(remove("cp-3")).rejects.toThrow(
    "cp-3: cannot leave etcd: no control plane tells its members (cp-1: no answer within 20 s; cp-2: etcd is not running; cp-3: etcd is not running)",
  );
  expect(calls).toEqual([]);
});

test("two that leave at once: one that etcd refuses is taken out through the other", async () => {
  const refusals = ["etcdserver: re-configuration failed due to not enough started members"];
  const world = { members: ["cp-1", "cp-2"], refusals };
  const { calls, remove } = rig(world);
  await remove("cp-2");
  expect(world.members).toEqual(["cp-1"]);
  expect(calls.at(-1)).toBe("kubernetes: cp-2");
});

test("a worker only goes from Kubernetes", async () => {
  const { calls, remove } = rig({ members: ["cp-1"] });
  await remove("worker-1", "worker");
  expect(calls).toEqual(["kubernetes: worker-1"]);
});

describe("the Node object", () => {
  let cluster: Cluster;

  beforeEach(async () => {
    cluster = await startCluster();
  });

  afterEach(async () => cluster.stop());

  test("goes through whichever API server answers; one that is not there is no fault", async () => {
    cluster.objects.set("/api/v1/nodes/cp-1", {});
    const text = JSON.parse(cluster.kubeconfig) as { clusters: { cluster: object }[] };
    const [dead] = (JSON.parse(kubeconfigFor("https://127.0.0.1:1")) as typeof text).clusters;
    const objects = nodeObjects(JSON.stringify({ ...text, clusters: [dead, ...text.clusters] }));
    expect(await objects.remove("cp-1")).toBe(true);
    expect(cluster.objects.size).toBe(0);
    expect(await objects.remove("cp-1")).toBe(false);
  });

  test("where none answers, the removal fails", async () => {
    await expect(nodeObjects(kubeconfigFor("https://127.0.0.1:1")).remove("cp-1")).rejects.toThrow(
      "Node cp-1 could not be removed from Kubernetes: https://127.0.0.1:1: connect ECONNREFUSED",
    );
  });
});
