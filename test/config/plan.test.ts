import * as fc from "fast-check";

import type { ClusterPlan, DockerClusterPlan, HetznerClusterPlan } from "../../config/types";
import { changed, resolve, valid } from "./fixtures";
import type { Raw } from "./fixtures";

const lab = (keys: Raw = {}) => resolve(changed("lab", keys)) as DockerClusterPlan;
const fleet = (keys: Raw = {}) => resolve(changed("fleet", keys), { stack: "fleet" }) as HetznerClusterPlan;
const names = ({ nodes }: ClusterPlan) => nodes.map(({ name }) => name);

test("the smallest lab is complete", () => {
  const plan = lab();

  expect(plan).toMatchObject({
    name: "lab",
    platform: "docker",
    versions: { talos: "v1.13.10", kubernetes: "1.35.8", contract: "v1.13" },
    schematic: { source: "factory/schematic.yaml" },
    factoryUrl: "https://factory.talos.dev",
    deletionProtection: false,
    limits: { talosApi: 600, etcd: 300, kubernetesApi: 600, nodesReady: 900, coreDns: 300 },
    pods: "10.244.0.0/16",
    services: "10.96.0.0/12",
  });
  expect(plan.docker).toEqual({
    subnet: "10.5.0.0/24",
    gateway: "10.5.0.1",
    talosPort: 50000,
    kubernetesPort: 6443,
    cpus: "2.0",
    memory: 2048,
    image: "ghcr.io/siderolabs/talos:v1.13.10",
    hostAddress: "127.0.0.1",
  });
  expect(plan.nodes.map(({ name, role, address, talosPort }) => [name, role, address, talosPort])).toEqual([
    ["lab-controlplane-1", "controlplane", "10.5.0.2", 50000],
    ["lab-worker-1", "worker", "10.5.0.3", 50001],
  ]);
});

test("seventeen servers lie in groups of 3, 7 and 7", () => {
  const plan = fleet();

  expect(plan.nodes).toHaveLength(17);
  expect(plan.hetzner.groups).toEqual(["fleet-controlplane-0", "fleet-worker-0", "fleet-worker-1"]);
  expect(plan.hetzner.groups.map((name) => plan.nodes.filter(({ group }) => group === name).length)).toEqual([
    3, 7, 7,
  ]);
  expect(plan.nodes[0]).toMatchObject({ address: "10.0.1.11", serverType: "cpx22", location: "fsn1" });
  expect(plan.nodes.at(-1)).toMatchObject({
    name: "fleet-worker-14",
    address: "10.0.1.114",
    serverType: "cpx32",
  });
  expect(plan.hetzner).toMatchObject({
    networkZone: "eu-central",
    network: "10.0.0.0/16",
    nodes: "10.0.1.0/24",
    loadBalancerAddress: "10.0.1.10",
    apiLoadBalancer: "private",
    loadBalancerType: "lb11",
    imageId: "4711",
  });
  expect(plan.deletionProtection).toBe(true);
});

test.each([
  ["docker", changed("lab", { controlPlanes: { count: 1 } }), "10.5.0.3"],
  [
    "docker, control planes elsewhere",
    changed("lab", { controlPlanes: { count: 3, firstAddress: 20 } }),
    "10.5.0.3",
  ],
  ["hetzner", changed("fleet", { controlPlanes: { count: 5 } }), "10.0.1.101"],
])("a single pool's default address, whatever the control planes: %s", (_case, raw, address) => {
  expect(resolve(raw).nodes.find(({ role }) => role === "worker")?.address).toBe(address);
});

test("host numbers reach beyond 255 in a larger subnet", () => {
  const plan = lab({
    docker: { subnet: "10.5.0.0/16" },
    workers: [{ name: "far", count: 1, firstAddress: 300 }],
  });

  expect(plan.nodes.at(-1)).toMatchObject({ address: "10.5.1.44", talosPort: 50298 });
});

test.each([
  [2, "2.0"],
  [1.5, "1.5"],
  [0.25, "0.25"],
])("%p CPUs are written as the engine reads them back", (cpus, written) => {
  expect(lab({ docker: { cpus } }).docker.cpus).toBe(written);
});

test("values are normalised", () => {
  const plan = lab({
    talosVersion: "1.13.9",
    kubernetesVersion: "v1.36.4",
    talosContract: "1.12",
    factoryUrl: "https://factory.example.net/",
    deletionProtection: "true",
    clusterName: "other",
  });

  expect(plan.versions).toEqual({ talos: "v1.13.9", kubernetes: "1.36.4", contract: "v1.12" });
  expect(plan.factoryUrl).toBe("https://factory.example.net");
  expect(plan.deletionProtection).toBe(true);
  expect(names(plan)).toEqual(["other-controlplane-1", "other-worker-1"]);
});

test("without workers the control planes stand alone, without a load balancer there is no address for one", () => {
  const alone = fleet({ workers: null, hetzner: { adminCidrs: ["198.18.0.0/24"], apiLoadBalancer: "none" } });

  expect(names(alone)).toEqual(["fleet-controlplane-1", "fleet-controlplane-2", "fleet-controlplane-3"]);
  expect(alone.hetzner).not.toHaveProperty("loadBalancerAddress");
});

test("a world-open range needs the explicit word and then stands", () => {
  const plan = fleet({ hetzner: { adminCidrs: ["0.0.0.0/0", "::/0"], worldOpen: true } });

  expect(plan.hetzner.adminCidrs).toEqual(["0.0.0.0/0", "::/0"]);
});

test("a preview takes documentation ranges, no image and no token", () => {
  const raw = changed("fleet", { hetzner: { adminCidrs: ["203.0.113.0/24"] } });

  expect(() => resolve(raw, { phase: "preview", tokenPresent: false })).not.toThrow();
});

test("pools carry labels, taints and places", () => {
  const { nodes } = fleet({
    workers: [
      {
        name: "gpu",
        count: 1,
        serverType: "ccx13",
        location: "nbg1",
        labels: { "example.net/tier": "gpu" },
        taints: [
          { key: "gpu", value: "yes", effect: "NoSchedule" },
          { key: "own", effect: "NoExecute" },
        ],
      },
    ],
  });

  expect(nodes.at(-1)).toMatchObject({
    serverType: "ccx13",
    location: "nbg1",
    labels: { "example.net/tier": "gpu" },
    taints: [
      { key: "gpu", value: "yes", effect: "NoSchedule" },
      { key: "own", effect: "NoExecute" },
    ],
  });
});

test("a schematic can stand in the stack file", () => {
  const schematic = { customization: { extraKernelArgs: ["net.ifnames=0"] } };
  const { source, text } = lab({ schematic }).schematic;

  expect(source).toBe("schematic");
  expect(JSON.parse(text)).toEqual(schematic);
});

test("faults of the schematic come with the others", () => {
  const schematic = { customization: { extraKernelArg: [] } };

  expect(() => resolve(changed("fleet", { controlPlanes: { count: 2 }, schematic }))).toThrow(
    /has 2 faults[^]*controlPlanes\.count[^]*schematic\.customization\.extraKernelArg: /,
  );
});

test("the plan cannot be changed", () => {
  const plan = lab();

  expect(() => Object.assign(plan.nodes[0] ?? {}, { name: "x" })).toThrow(TypeError);
  expect(() => (plan.nodes as unknown[]).push(1)).toThrow(TypeError);
});

const pools = fc
  .uniqueArray(
    fc.stringMatching(/^[a-z]{1,8}$/).filter((name) => name !== "controlplane"),
    { minLength: 2, maxLength: 5 },
  )
  .chain((poolNames) =>
    fc
      .tuple(...poolNames.map(() => fc.integer({ min: 1, max: 15 })))
      .map((counts) =>
        poolNames.map((name, index) => ({ name, count: counts[index] ?? 1, firstAddress: 101 + index * 16 })),
      ),
  );
const facts = ({ nodes }: ClusterPlan) => new Map(nodes.map((node) => [node.name, { ...node, patches: [] }]));

describe("for any pools", () => {
  test.each(["lab", "fleet"] as const)(
    "%s: names, addresses and ports are unique, groups hold at most seven",
    (base) => {
      fc.assert(
        fc.property(pools, (workers) => {
          const { nodes } = resolve(changed(base, { workers }));
          const unique = (values: readonly unknown[]) => new Set(values).size === values.length;
          const groups = nodes.flatMap((node) => ("group" in node ? [node.group] : []));

          expect(unique(nodes.map(({ name }) => name))).toBe(true);
          expect(unique(nodes.map(({ address }) => address))).toBe(true);
          expect(unique(nodes.map((node) => ("talosPort" in node ? node.talosPort : node.name)))).toBe(true);
          expect(groups.every((group) => groups.filter((other) => other === group).length <= 7)).toBe(true);
        }),
      );
    },
  );

  test.each(["lab", "fleet"] as const)(
    "%s: order, growth, a new pool and one less change no other node",
    (base) => {
      fc.assert(
        fc.property(pools, fc.nat(), (workers, seed) => {
          const before = facts(resolve(changed(base, { workers })));
          const chosen = workers[seed % workers.length];
          const grown = workers.map((pool) => (pool === chosen ? { ...pool, count: pool.count + 1 } : pool));
          const more = [{ name: "new-pool", count: 2, firstAddress: 200 }, ...workers];

          for (const changedPools of [[...workers].reverse(), grown, more]) {
            const after = facts(resolve(changed(base, { workers: changedPools })));
            for (const [name, node] of before) expect(after.get(name)).toEqual(node);
          }
          const fewer = facts(resolve(changed(base, { workers: workers.filter((pool) => pool !== chosen) })));
          for (const [name, node] of fewer) expect(before.get(name)).toEqual(node);
        }),
      );
    },
  );
});

test("the bases of all fixtures are valid", () => {
  expect(() => resolve(valid("lab"), { phase: "up" })).not.toThrow();
  expect(() => resolve(valid("fleet"), { phase: "up", tokenPresent: true, tokenLength: 64 })).not.toThrow();
});
