import { StageError, type Stage, type Surroundings, sighting, walk } from "../../ops/waits/walk";

/** A clock that moves only when somebody sleeps. */
function fakeSurroundings(): Surroundings & { lines: string[] } {
  let now = 0;
  const lines: string[] = [];
  return {
    lines,
    print: (line) => lines.push(line),
    now: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds;
    },
  };
}

const stageThatNeeds = (name: string, looks: number): Stage => {
  let seen = 0;
  return {
    name,
    limitSeconds: 60,
    look: async () => {
      seen += 1;
      return sighting(seen >= looks ? {} : { "lab-worker-1": "connection refused" });
    },
  };
};

test("walks the stages in order and tells a change once", async () => {
  const around = fakeSurroundings();
  await walk([stageThatNeeds("Talos API", 3), stageThatNeeds("etcd", 1)], around);
  expect(around.lines).toEqual([
    "Talos API: waiting for lab-worker-1 (connection refused)",
    "Talos API: ok (0.5 s)",
    "etcd: ok (0.0 s)",
  ]);
});

test("stops at the first stage that does not come: stage, node, what was last seen", async () => {
  const around = fakeSurroundings();
  const never = stageThatNeeds("etcd", Number.POSITIVE_INFINITY);
  const later = jest.fn();
  const failed = walk([never, { ...never, look: later }], around);
  await expect(failed).rejects.toThrow(
    "etcd: not reached within 60 s\n  lab-worker-1: last seen: connection refused",
  );
  await expect(failed).rejects.toBeInstanceOf(StageError);
  expect(later).not.toHaveBeenCalled();
  expect(around.now()).toBeGreaterThanOrEqual(60_000);
  expect(around.now()).toBeLessThan(63_000);
});

test("a limit of minutes is ours alone: a cluster healthy after seven of thirty passes", async () => {
  const around = fakeSurroundings();
  const slow: Stage = {
    name: "nodes Ready",
    limitSeconds: 1800,
    look: async () => sighting(around.now() >= 420_000 ? {} : { node: "NotReady" }),
  };
  await walk([slow], around);
  expect(around.lines.at(-1)).toMatch(/^nodes Ready: ok \(42\d\.\d s\)$/);
});

test("names three waiting nodes and counts the rest", async () => {
  const around = fakeSurroundings();
  let looks = 0;
  const nodes = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`w-${n}`, "NotReady"]));
  await walk(
    [{ name: "nodes Ready", limitSeconds: 9, look: async () => sighting(looks++ > 0 ? {} : nodes) }],
    around,
  );
  expect(around.lines[0]).toBe(
    "nodes Ready: waiting for w-1 (NotReady), w-2 (NotReady), w-3 (NotReady) and 2 more",
  );
});

test("what cannot come is given up at once, but not for a moment's absence", async () => {
  const around = fakeSurroundings();
  const never = stageThatNeeds("nodes Ready", Number.POSITIVE_INFINITY);
  let asked = 0;
  const stopped = { "lab-worker-1": "its container is stopped" };
  const flickering = { ...around, hopeless: async () => (asked++ === 0 ? stopped : {}) };
  await expect(walk([never], flickering)).rejects.toThrow("nodes Ready: not reached within 60 s");
  const gone = { ...around, hopeless: async () => stopped };
  const start = around.now();
  await expect(walk([never], gone)).rejects.toThrow(
    "nodes Ready: given up, it cannot come\n  lab-worker-1: last seen: its container is stopped",
  );
  expect(around.now() - start).toBeLessThan(2_000);
});
