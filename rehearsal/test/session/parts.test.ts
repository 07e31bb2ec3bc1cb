import { progressLine } from "../../demo/steps";
import { freePortRange, freePublicNetwork } from "../../session/ports";
import { merge } from "../../session/stack-file";

test("overrides go into objects and replace lists and words", () => {
  const base = { a: { b: 1, c: [1, 2] }, d: "x" };
  expect(merge(base, { a: { c: [3] }, e: true })).toEqual({ a: { b: 1, c: [3] }, d: "x", e: true });
});

test.each([
  [" +  hcloud:index:Server a-worker-1 created (0.25s) ", /^ {2}\+ hcloud Server +a-worker-1 {2}0\.25s$/],
  [" +  pulumi:providers:hcloud a-hcloud created (0.01s) ", /^ {2}\+ provider hcloud +a-hcloud/],
  [" -  docker:index:Volume lab-var deleted (0s) ", /^ {2}- docker Volume +lab-var/],
  [
    " +  command:local:Command lab-ready creating (0s) etcd: ok (0.1 s)",
    /^ {6}lab-ready: etcd: ok \(0\.1 s\)$/,
  ],
])("progress %s", (line, shown) => expect(progressLine(line)).toMatch(shown));

test.each(["@ updating....", " +  hcloud:index:Server a-worker-1 creating (0s) ", "Resources:"])(
  "nothing is shown of %s",
  (line) => {
    expect(progressLine(line)).toBeUndefined();
  },
);

test("free ports lie below those that the kernel hands out, free networks in 127.20 to 127.99", async () => {
  const first = await freePortRange(3);
  expect(first).toBeGreaterThanOrEqual(15_000);
  expect(first + 2).toBeLessThan(32_768);
  expect(await freePublicNetwork()).toMatch(/^127\.[2-9]\d\.\d{1,3}$/);
});
