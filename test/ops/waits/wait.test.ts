import { WaitError, type Wait, seen, walk } from "../../../ops/waits/wait";
import { fakeContext } from "./fakes";

const waitThatNeeds = (name: string, looks: number): Wait => {
  let count = 0;
  return {
    name,
    limitSeconds: 60,
    look: async () => {
      count += 1;
      return seen(count >= looks ? {} : { "lab-worker-1": "connection refused" });
    },
  };
};

test("walks the waits in order and tells a change once", async () => {
  const context = fakeContext();
  await walk([waitThatNeeds("Talos API", 3), waitThatNeeds("etcd", 1)], context);
  expect(context.lines).toEqual([
    "Talos API: waiting for lab-worker-1 (connection refused)",
    "Talos API: ok (0.5 s)",
    "etcd: ok (0.0 s)",
  ]);
});

test("stops at the first wait that does not come: its name, node, what was last seen", async () => {
  const context = fakeContext();
  const never = waitThatNeeds("etcd", Number.POSITIVE_INFINITY);
  const later = jest.fn();
  const failed = walk([never, { ...never, look: later }], context);
  await expect(failed).rejects.toThrow(
    "etcd: not reached within 60 s\n  lab-worker-1: last seen: connection refused",
  );
  await expect(failed).rejects.toBeInstanceOf(WaitError);
  expect(later).not.toHaveBeenCalled();
  expect(context.now()).toBeGreaterThanOrEqual(60_000);
  expect(context.now()).toBeLessThan(63_000);
});

test("a limit of minutes is ours alone: a cluster healthy after seven of thirty passes", async () => {
  const context = fakeContext();
  const slow: Wait = {
    name: "nodes Ready",
    limitSeconds: 1800,
    look: async () => seen(context.now() >= 420_000 ? {} : { node: "NotReady" }),
  };
  await walk([slow], context);
  expect(context.lines.at(-1)).toMatch(/^nodes Ready: ok \(42\d\.\d s\)$/);
});

test("names three waiting nodes and counts the rest", async () => {
  const context = fakeContext();
  let looks = 0;
  const nodes = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`w-${n}`, "NotReady"]));
  await walk(
    [{ name: "nodes Ready", limitSeconds: 9, look: async () => seen(looks++ > 0 ? {} : nodes) }],
    context,
  );
  expect(context.lines[0]).toBe(
    "nodes Ready: waiting for w-1 (NotReady), w-2 (NotReady), w-3 (NotReady) and 2 more",
  );
});

test("what cannot come is given up at once, but not for a moment's absence", async () => {
  const context = fakeContext();
  const never = waitThatNeeds("nodes Ready", Number.POSITIVE_INFINITY);
  let asked = 0;
  const stopped = { "lab-worker-1": "its container is stopped" };
  const flickering = { ...context, inVain: async () => (asked++ === 0 ? stopped : {}) };
  await expect(walk([never], flickering)).rejects.toThrow("nodes Ready: not reached within 60 s");
  const gone = { ...context, inVain: async () => stopped };
  const start = context.now();
  await expect(walk([never], gone)).rejects.toThrow(
    "nodes Ready: given up, it cannot come\n  lab-worker-1: last seen: its container is stopped",
  );
  expect(context.now() - start).toBeLessThan(2_000);
});

test("two errors that alternate are told once each, and so is what differs in numbers alone", async () => {
  const context = fakeContext();
  let looks = 0;
  const faults = [
    "socket hang up",
    "connect ECONNREFUSED",
    "kubelet: E1202 process 1234",
    "kubelet: E1202 process 98765",
  ];
  const flapping: Wait = {
    name: "Kubernetes API",
    limitSeconds: 600,
    look: async () => seen({ "cp-1": faults[looks++ % faults.length]! }),
  };
  await expect(walk([flapping], context)).rejects.toThrow("not reached within 600 s");
  expect(looks).toBeGreaterThan(200);
  expect(context.lines).toEqual([
    "Kubernetes API: waiting for cp-1 (socket hang up)",
    "Kubernetes API: waiting for cp-1 (connect ECONNREFUSED)",
    "Kubernetes API: waiting for cp-1 (kubelet: E1202 process 1234)",
  ]);
});

test("a look that knows a cause to be final ends the wait early", async () => {
  const context = fakeContext();
  const final = { "cp-1": "kubelet Waiting: failed to find cgroup mounts" };
  const lost: Wait = { name: "Kubernetes API", limitSeconds: 600, look: async () => seen(final, final) };
  await expect(walk([lost], context)).rejects.toThrow(
    "Kubernetes API: given up, it cannot come\n  cp-1: last seen: kubelet Waiting: failed to find cgroup mounts",
  );
  expect(context.now()).toBeLessThan(3_000);
});
