import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";

import { monthlyPrice } from "../../config/prices";
import { resolveConfig } from "../../config/resolve";
import { settings } from "../../config/schema";
import { readStackFile } from "../../config/stack-file";
import type { HetznerClusterPlan } from "../../config/types";
import { schematicFaults } from "../../factory/check";
import { changed, resolve } from "./fixtures";

const root = path.join(__dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "talos-fleet-"));
afterAll(() => rmSync(folder, { recursive: true }));

function written(text: string) {
  const file = path.join(folder, "Pulumi.some.yaml");
  writeFileSync(file, text);
  return readStackFile(file);
}

function planOf(file: string) {
  const { stack, raw, readText } = readStackFile(path.join(root, file));
  return resolveConfig(raw, { stack, readText, phase: "preview", checkSchematic: schematicFaults });
}

test("the committed lab is one control plane and one worker", () => {
  expect(planOf("Pulumi.lab.yaml").nodes.map(({ name }) => name)).toEqual([
    "lab-controlplane-1",
    "lab-worker-1",
  ]);
});

test("the committed fleet is seventeen servers at the price of the table", () => {
  const plan = planOf("Pulumi.hetzner.yaml") as HetznerClusterPlan;

  expect(plan.nodes).toHaveLength(17);
  expect(monthlyPrice(plan)).toEqual({ since: "2026-06-15", currency: "EUR", unknown: [], net: 579.82 });
});

test.each([
  ["an unlisted server type", { controlPlanes: { count: 1, serverType: "cpx99" } }, ["cpx99"]],
  ["a location outside the EU", { hetzner: { adminCidrs: ["198.18.0.0/24"], location: "ash" } }, ["us-east"]],
])("no price for %s", (_case, keys, unknown) => {
  expect(monthlyPrice(resolve(changed("fleet", keys)) as HetznerClusterPlan)).toEqual({
    since: "2026-06-15",
    currency: "EUR",
    unknown,
  });
});

test("the sample file is valid and explains every key", () => {
  const text = readFileSync(path.join(root, "docs/config.sample.yaml"), "utf8");
  const sample = written(text);
  const options = { stack: "fleet", readText: (file: string) => readFileSync(path.join(root, file), "utf8") };

  expect(() =>
    resolveConfig(sample.raw, { ...options, phase: "preview", checkSchematic: schematicFaults }),
  ).not.toThrow();
  expect(Object.keys(sample.raw).sort()).toEqual(
    Object.keys(settings)
      .filter((key) => key !== "docker")
      .sort(),
  );
});

test("the sample's docker block is valid too", () => {
  const text = readFileSync(path.join(root, "docs/config.sample.yaml"), "utf8");
  const block = text.slice(text.indexOf("  # talos-fleet:docker:")).replace(/^ {2}# /gm, "  ");
  const docker = written(`config:\n${block}`).raw["docker"] as Record<string, unknown>;
  const rest = Object.fromEntries(Object.entries(docker).filter(([key]) => key !== "host"));

  expect(Object.keys(docker)).toEqual(Object.keys(settings.docker.unwrap().shape));
  expect(() => resolve(changed("lab", { docker: rest }))).not.toThrow();
});

test("keys are read as Pulumi gives them", () => {
  const { stack, raw } = written(`
config:
  platform: docker
  talos-fleet:kubernetesVersion: 1.30
  talos-fleet:deletionProtection: true
  talos-fleet:workers: '[{"name": "worker", "count": 1}]'
  talos-fleet:controlPlanes: { count: 3 }
  talos-fleet:factoryUrl: { secure: v1:abc }
  hcloud:token: { secure: v1:abc }
`);

  expect(stack).toBe("some");
  expect(raw).toEqual({
    platform: "docker",
    kubernetesVersion: "1.30",
    deletionProtection: "true",
    workers: [{ name: "worker", count: 1 }],
    controlPlanes: { count: 3 },
    factoryUrl: "(encrypted)",
  });
});

test.each([
  ["no file", () => readStackFile(path.join(folder, "Pulumi.none.yaml")), /cannot be read/],
  ["another name", () => readStackFile(path.join(root, "package.json")), /is not the name of a stack file/],
  ["not YAML", () => written("config:\n  a: [1\n"), /is not YAML: line \d+/],
])("%s is bad input", (_case, read, message) => {
  expect(read).toThrow(message);
});

test("a stack file without configuration has no keys", () => {
  expect(written("encryptionsalt: v1:abc\n").raw).toEqual({});
});
