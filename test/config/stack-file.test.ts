import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";

import { monthlyPrice } from "../../config/platforms/hetzner/prices";
import { resolveConfig } from "../../config/resolve";
import { settings } from "../../config/schema";
import { readStackFile } from "../../config/stack-file";
import type { HetznerClusterPlan } from "../../config/types";
import { changed, resolve } from "./fixtures";

const root = path.join(__dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "talos-fleet-"));
afterAll(() => rmSync(folder, { recursive: true }));

function aFolder(): string {
  const name = path.join(folder, "Pulumi.folder.yaml");
  mkdirSync(name, { recursive: true });
  return name;
}

function written(text: string | Buffer) {
  const file = path.join(folder, "Pulumi.some.yaml");
  writeFileSync(file, text);
  return readStackFile(file);
}

function planOf(file: string) {
  const { stack, raw, readText } = readStackFile(path.join(root, file));
  return resolveConfig(raw, { stack, readText, phase: "preview" });
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

  expect(() => resolveConfig(sample.raw, { ...options, phase: "preview" })).not.toThrow();
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
    kubernetesVersion: "1.3",
    deletionProtection: "true",
    workers: [{ name: "worker", count: 1 }],
    controlPlanes: { count: 3 },
    factoryUrl: "(encrypted)",
  });
});

test.each([
  ["no file", () => readStackFile(path.join(folder, "Pulumi.none.yaml")), /cannot be read \(no such file\)/],
  ["a folder", () => readStackFile(aFolder()), /cannot be read \(it is a folder\)/],
  ["a binary file", () => written(Buffer.from([0, 255, 254])), /cannot be read \(it is not UTF-8 text\)/],
  ["UTF-16", () => written(Buffer.from("\ufeffconfig:\n", "utf16le")), /it is not UTF-8 text/],
  ["a word", () => written("hello\n"), /the file must be a mapping and is a text/],
  ["a list", () => written("- config\n"), /the file must be a mapping and is a list/],
  ["a text for config", () => written("config: hello\n"), /config must be a mapping and is a text/],
  ["a list for config", () => written("config: [a]\n"), /config must be a mapping and is a list/],
  ["an alias of nothing", () => written("config:\n  a: *b\n"), /is not YAML: line 2: \*b has no anchor/],
  ["tabs", () => written("config:\n\ta: b\n"), /is not YAML: line 2: Tabs/],
  ["a key twice", () => written("config:\n  a: b\n  a: c\n"), /is not YAML: line 3: Map keys must be unique/],
  [
    "a key with and without its namespace",
    () => written("config:\n  platform: hetzner\n  talos-fleet:platform: docker\n"),
    /platform: .*: stands there as talos-fleet:platform too, and both are one key; keep one of them/,
  ],
  ["a number", () => written("3\n"), /the file must be a mapping and is a single value/],
  ["another name", () => readStackFile(path.join(root, "package.json")), /is not the name of a stack file/],
  ["not YAML", () => written("config:\n  a: [1\n"), /is not YAML: line \d+/],
])("%s is bad input", (_case, read, message) => {
  expect(read).toThrow(message);
});

/** As `pulumi config --json` of Pulumi 3.248.0 showed them for the same lines. */
test.each([
  ["1.10", "1.1"],
  ["0644", "420"],
  ["yes", "yes"],
  ["True", "true"],
  ["~", ""],
  ["1e3", "1000"],
  ["0x10", "16"],
  ["1.0", "1"],
  ["'[1,'", "[1,"],
  ["{ a: 1.10, b: 0644, c: yes, d: ~, e: 0o17 }", { a: 1.1, b: 420, c: "yes", d: null, e: 15 }],
  ["[1.10, yes, 0644]", [1.1, "yes", 420]],
])("the value %s reads as Pulumi reads it", (text, value) => {
  expect(written(`config:\n  talos-fleet:key: ${text}\n`).raw).toEqual({ key: value });
});

test.each([
  ["Windows line endings", (text: string) => text.replaceAll("\n", "\r\n")],
  ["a byte-order mark", (text: string) => `\ufeff${text}`],
])("%s change nothing", (_case, change) => {
  const text = readFileSync(path.join(root, "Pulumi.lab.yaml"), "utf8");

  expect(written(change(text)).raw).toEqual(written(text).raw);
});

test("a misspelt namespace is kept for a fault, a provider's is not", () => {
  const text = "config:\n  talosfleet:a: b\n  Talos-Fleet:c: d\n  docker:host: e\n  talos:f: g\n";

  expect(written(text).raw).toEqual({ "talosfleet:a": "b", "Talos-Fleet:c": "d" });
});

test("what is missing at the end is told of the last line", () => {
  expect(() => written('config:\n  talos-fleet:platform: docker\n  a: "b\n')).toThrow(
    /is not YAML: line 3: /,
  );
});

test.each([
  ["hcloud:token: plain", true],
  ["hcloud:token: { secure: v1:abc }", true],
  ["hcloud:token:", false],
  ["docker:host: x", false],
])("%s: a token is there: %p", (line, present) => {
  expect(written(`config:\n  ${line}\n`).account.tokenPresent).toBe(present);
});

test("of several documents the first counts, and its token is among the keys that nothing prints", () => {
  const file = written("config:\n  hcloud:token: sesame\n  talos-fleet:platform: docker\n---\nx: 1\n");

  expect(file).toMatchObject({ account: { tokenPresent: true }, raw: { platform: "docker" } });
  expect(JSON.stringify({ ...file, account: undefined })).not.toContain("sesame");
});

test("a stack file without configuration has no keys", () => {
  expect(written("encryptionsalt: v1:abc\n").raw).toEqual({});
});
