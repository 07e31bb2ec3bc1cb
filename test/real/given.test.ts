import { ownStack, refusal, withPatch } from "./given";

const config = {
  "talos-fleet:platform": "docker",
  "talos-fleet:clusterName": "slow",
  "talos-fleet:schematic": "factory/schematic.yaml",
  "talos-fleet:workers": [{ name: "worker", count: 1, patches: ["pool.yaml"] }],
  "talos-fleet:patches": {
    all: ["sub/all.yaml", { machine: { sysctls: { a: "1" } } }],
    nodes: { "slow-worker-1": ["one.yaml"], "other-worker-1": [] },
  },
  "talos-fleet:docker": { talosPort: 7000 },
};
const beside = new Set(["sub/all.yaml", "pool.yaml", "one.yaml"]);

test("another cluster's name, files beside ours, nodes by their new names; the rest as given", () => {
  const own = ownStack(config, "lab", (path) => beside.has(path));
  expect(own.config).toEqual({
    ...config,
    "talos-fleet:clusterName": "tf-real",
    "talos-fleet:workers": [{ name: "worker", count: 1, patches: ["given-3-pool.yaml"] }],
    "talos-fleet:patches": {
      all: ["given-1-sub-all.yaml", { machine: { sysctls: { a: "1" } } }],
      nodes: { "tf-real-worker-1": ["given-2-one.yaml"], "other-worker-1": [] },
    },
  });
  expect(own.files).toEqual([
    { from: "sub/all.yaml", to: "given-1-sub-all.yaml" },
    { from: "one.yaml", to: "given-2-one.yaml" },
    { from: "pool.yaml", to: "given-3-pool.yaml" },
  ]);
});

test("without a cluster's name the stack's is meant", () => {
  const own = ownStack({ "talos-fleet:patches": { nodes: { "lab-worker-1": [] } } }, "lab", () => false);
  expect(own.config["talos-fleet:patches"]).toEqual({ nodes: { "tf-real-worker-1": [] } });
});

test("what cannot be used is refused", () => {
  expect(refusal(config)).toBeUndefined();
  expect(refusal({ "talos-fleet:platform": "hetzner" })).toMatch(/^platform must be docker/);
  const secret = { ...config, "talos-fleet:patches": { all: [{ machine: { x: { secure: "v1:c" } } }] } };
  expect(refusal(secret)).toMatch(/^holds encrypted values/);
});

test("one more patch comes last", () => {
  const patch = { machine: {} };
  expect(withPatch(config, "all", patch)["talos-fleet:patches"]).toEqual({
    ...config["talos-fleet:patches"],
    all: [...config["talos-fleet:patches"].all, patch],
  });
  expect(withPatch({}, "workers", patch)).toEqual({ "talos-fleet:patches": { workers: [patch] } });
});
