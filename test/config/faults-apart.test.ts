/** One fault hides no other, and none is made up because of it. */
import { changed, faultLines } from "./fixtures";

const keysOf = (lines: readonly string[]): string[] => lines.map((line) => line.split(": ")[0] ?? "");

test("a wrong taint leaves the pool's other taints to the rules, under their own numbers", () => {
  const taints = [
    { key: "a b", effect: "NoSchedule" },
    { key: "x", effect: "NoSchedule" },
    { key: "y", effect: "Never" },
    { key: "x", effect: "NoSchedule" },
  ];
  const lines = faultLines(changed("lab", { workers: [{ name: "w", count: 1, taints }] }));

  expect(keysOf(lines)).toEqual([
    "workers[0].taints[0].key",
    "workers[0].taints[2].effect",
    "workers[0].taints[3].key",
  ]);
  expect(lines[2]).toContain("is in taints[1] with the same effect");
});

test("a wrong label does not hide that a patched node does not exist", () => {
  const workers = [{ name: "worker", count: 1, labels: { a: 3 }, taints: 4 }];
  const nodes = { "lab-worker-1": [], "lab-worker-9": [] };

  expect(keysOf(faultLines(changed("lab", { workers, patches: { nodes } })))).toEqual([
    "workers[0].labels.a",
    "workers[0].taints",
    "patches.nodes.lab-worker-9",
  ]);
});

test("where a pool's name or count is wrong nobody says which nodes there are", () => {
  const nodes = { "lab-worker-9": [] };
  for (const pool of [{ name: 3, count: 1 }, { name: "worker", count: "x" }, "worker"])
    expect(faultLines(changed("lab", { workers: [pool], patches: { nodes } })).join("\n")).not.toContain(
      "is not the name of a node",
    );
});

test("one wrong range leaves the others to the rules", () => {
  const network = { cidr: "10.0.0.0/16", nodes: "10.1.0.0/24", pods: "10.1.0.0/16", services: "fd00::/64" };

  expect(
    keysOf(faultLines(changed("fleet", { hetzner: { adminCidrs: ["198.18.0.0/24"], network } }))),
  ).toEqual([
    "hetzner.network.services",
    "hetzner.network.nodes and hetzner.network.pods",
    "hetzner.network.nodes and hetzner.network.cidr",
  ]);
});

test("what is encrypted is said once, and no rule judges the word that stands for it", () => {
  const secret = "(encrypted)";
  const lines = faultLines(
    changed("lab", {
      workers: [{ name: secret, count: 1, serverType: secret }],
      docker: { context: secret, image: secret },
      patches: {
        all: [
          { apiVersion: secret, kind: secret },
          {
            machine: {
              sysctls: { $patch: secret },
              network: { interfaces: [{ interface: secret }, { interface: secret }] },
            },
          },
        ],
      },
    }),
  );

  expect(keysOf(lines).sort()).toEqual([
    "docker.context",
    "docker.image",
    "workers[0].name",
    "workers[0].serverType",
  ]);
  expect(lines.every((line) => line.includes("is encrypted, and only Pulumi can read it"))).toBe(true);
});

test("repairs do not ask for what was done, and long names are cut", () => {
  const lines = faultLines(
    changed("lab", {
      controlPlanes: { count: "99999999999999999999999" },
      clusterName: "A".repeat(5000),
      "": 1,
    }),
  );

  expect(lines).toContain(
    "controlPlanes.count: 99999999999999999999999: must be a whole number from 1 to 100; set one from 1 to 100",
  );
  expect(lines.find((line) => line.startsWith('"": '))).toContain("is not a known key");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(900);
});
