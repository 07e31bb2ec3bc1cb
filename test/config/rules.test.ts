import { cidrProblem } from "../../base/addresses";
import { minorOf } from "../../base/versions";
import { spreadGroupFaults } from "../../config/platforms/hetzner/limits";
import { nearestPairs, versionPairs } from "../../config/versions";
import { changed, faultLines, inspect } from "./fixtures";
import type { Raw } from "./fixtures";

const faults = (base: "lab" | "fleet", keys: Raw) => faultLines(changed(base, keys));

test("a spread group never takes an eleventh server", () => {
  const groups = (count: number) => Array.from({ length: count }, () => "fleet-worker-0");

  expect(spreadGroupFaults(groups(10))).toEqual([]);
  expect(spreadGroupFaults(groups(11))).toHaveLength(1);
});

test.each([
  ["v1.13.10", "1.36.4"],
  ["v1.13.10", "1.35.8"],
  ["v1.13.9", "1.35.7"],
])("%s with %s is a tested pair", (talosVersion, kubernetesVersion) => {
  expect(faults("lab", { talosVersion, kubernetesVersion })).toEqual([]);
});

test.each([
  ["v1.12.1", "1.36.0", "runs Kubernetes 1.30 to 1.35"],
  ["v1.13.9", "1.30.9", "runs Kubernetes 1.31 to 1.36"],
  ["v1.14.0", "1.31.9", "runs Kubernetes 1.32 to 1.37"],
  ["v1.99.0", "1.35.8", "is not among the minor versions this program knows"],
  ["v2.13.0", "1.35.8", "is not among the minor versions this program knows"],
])("%s with %s: %s", (talosVersion, kubernetesVersion, rule) => {
  const lines = faults("lab", { talosVersion, kubernetesVersion, talosContract: "v1.12" });

  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(rule);
});

test.each([
  ["v1.13.11", "1.35.8", {}],
  ["v1.14.0", "1.37.0", {}],
  ["v1.99.0", "1.35.8", { untestedVersions: true }],
])("%s with %s is taken with a note", (talosVersion, kubernetesVersion, more) => {
  const raw = changed("lab", { talosVersion, kubernetesVersion, ...more });
  const { faults: found, notes } = inspect(raw);

  expect(found).toEqual([]);
  expect(notes).toEqual([
    {
      key: "talosVersion and kubernetesVersion",
      value: `${talosVersion} with ${kubernetesVersion}`,
      note: expect.stringMatching(
        /^not among the tested pairs, of which the nearest are v1\.13\.10 with 1\./,
      ) as string,
    },
  ]);
});

test("a tested pair makes no note", () => {
  expect(inspect(changed("lab", {})).notes).toEqual([]);
});

test("the nearest pairs are listed ones, closest first", () => {
  expect(nearestPairs({ talos: "v1.13.10", kubernetes: "1.35.9" })[0]).toEqual({
    talos: "v1.13.10",
    kubernetes: "1.35.8",
  });
  expect(versionPairs).toEqual(
    expect.arrayContaining(nearestPairs({ talos: "v2.0.0", kubernetes: "2.0.0" })),
  );
});

test("every tested Talos version has the keys of config/talos-keys.json, which are those of 1.13", () => {
  expect(new Set(versionPairs.map(({ talos }) => minorOf(talos)))).toEqual(new Set(["1.13"]));
});

test("a Talos version that is too new is nearest to the newest pair", () => {
  expect(nearestPairs({ talos: "v1.99.0", kubernetes: "1.36.4" })[0]).toEqual({
    talos: "v1.13.10",
    kubernetes: "1.36.4",
  });
});

test.each([
  [["198.18.0.0/15", "10.0.0.0/8"], 0],
  [["0.0.0.0/1"], 1],
  [["0.0.0.0/2", "64.0.0.0/2"], 1],
  [["0.0.0.0/2", "0.0.0.0/2"], 0],
  [Array.from({ length: 128 }, (_, index) => `${index}.0.0.0/8`), 1],
  [Array.from({ length: 127 }, (_, index) => `${index}.0.0.0/8`), 0],
  [["::/1", "8000::/1"], 1],
  [["2000::/3"], 1],
  [["2001:470::/32"], 0],
  [["::ffff:0.0.0.0/96"], 1],
  [["::ffff:0:0/97", "::ffff:128.0.0.0/97"], 1],
  [["::ffff:0.0.0.0/98", "64.0.0.0/2"], 1],
  [["::ffff:0.0.0.0/98"], 0],
  [["::ffff:198.18.0.0/111"], 0],
  [["::/80"], 1],
  [["::/3"], 1],
  [["::fffe:0:0/95"], 1],
  [["::fffe:0:0/96"], 0],
  [["::/0"], 1],
])("admin ranges %j: %i world-open", (adminCidrs, count) => {
  expect(faults("fleet", { hetzner: { adminCidrs } })).toHaveLength(count);
});

test.each([
  ["10.0.0.0/16", undefined],
  ["10.0/16", "is not a CIDR such as 10.0.0.0/16"],
  ["10.0.0.0", "is not a CIDR such as 10.0.0.0/16"],
  ["10.0.1.0/16", "has host bits set (the range is 10.0.0.0/16)"],
  ["2001:db8::/32", undefined],
  ["2001:db8::1/64", "has host bits set (the range is 2001:db8::/64)"],
  ["::ffff:10.0.0.0/104", undefined],
  ["::ffff:10.0.0.1/104", "has host bits set (the range is ::ffff:a00:0/104)"],
])("CIDR %s", (text, problem) => {
  expect(cidrProblem(text, "any")).toBe(problem);
});

test("half of the world in ranges of both families, one of them malformed, is still seen", () => {
  const lines = faults("fleet", { hetzner: { adminCidrs: ["::/0", "10.0.0.1/8", "128.0.0.0/1"] } });

  expect(lines.map((line) => line.split(": ")[0])).toEqual([
    "hetzner.adminCidrs[1]",
    "hetzner.adminCidrs",
    "hetzner.adminCidrs",
  ]);
});

test("a public load balancer needs the explicit word and then stands", () => {
  const hetzner = { adminCidrs: ["198.18.0.0/24"], apiLoadBalancer: "public" };

  expect(faults("fleet", { hetzner })).toHaveLength(1);
  expect(faults("fleet", { hetzner: { ...hetzner, worldOpen: true } })).toEqual([]);
});

test.each([
  "unix:///var/run/docker.sock",
  "tcp://127.0.0.1:2375",
  "ssh://me@localhost:2222",
  "tcp://[::1]:2375",
])("an engine at %s is on this machine", (host) => {
  expect(faults("lab", { docker: { host } })).toEqual([]);
});

test.each([
  "fd://",
  "fd://x",
  "unix://",
  "tcp://",
  "tcp://user@h:1",
  "ssh://me:pw@h",
  "http://[bad",
  "localhost:2375",
])("an engine at %s cannot be", (host) => {
  expect(faults("lab", { docker: { host, hostAddress: "192.0.2.1" } })).toHaveLength(1);
});

test("two thousand pools are judged in seconds", () => {
  const pools = (firstAddress: (index: number) => number) =>
    Array.from({ length: 2000 }, (_, index) => ({
      name: `p${index}`,
      count: 1,
      firstAddress: firstAddress(index),
    }));
  const started = Date.now();

  expect(faults("lab", { workers: pools((index) => index + 3) }).length).toBeGreaterThan(1500);
  expect(faults("lab", { workers: pools(() => 3) }).length).toBeGreaterThan(1500);
  expect(Date.now() - started).toBeLessThan(60_000);
}, 120_000);

test("a label may be called like something of the language", () => {
  const labels = JSON.parse('{"constructor": "a", "__proto__": "b"}') as object;

  expect(faults("lab", { workers: [{ name: "worker", count: 1, labels }] }).join("\n")).toContain(
    "labels.__proto__",
  );
});
