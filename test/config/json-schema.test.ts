import { readFileSync } from "node:fs";
import * as path from "node:path";

import Ajv from "ajv";
import { parse } from "yaml";

import { stackFileSchema } from "../../config/json-schema";
import { settings } from "../../config/schema";

type Json = Readonly<Record<string, unknown>>;

const root = path.join(__dirname, "../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const written = JSON.parse(read("docs/config.schema.json")) as Json;
const fits = new Ajv({ unknownFormats: "ignore" }).compile(written);
const judged = (value: unknown) => fits(value) === true;

test("docs/config.schema.json is what the schema gives today: else run `npm run schema`", () => {
  expect(written).toEqual(JSON.parse(JSON.stringify(stackFileSchema())));
});

test.each(["Pulumi.lab.yaml", "Pulumi.hetzner.yaml"])("%s names the schema and fits it", (file) => {
  expect(read(file).split("\n")[0]).toBe("# yaml-language-server: $schema=docs/config.schema.json");
  expect(judged(parse(read(file)))).toBe(true);
});

test("the sample fits it", () => {
  expect(judged(parse(read("docs/config.sample.yaml")))).toBe(true);
});

const lab = (parse(read("Pulumi.lab.yaml")) as { config: Json }).config;

test.each([
  ["other namespaces are not judged", { "hcloud:token": { secure: "v1:abc" }, "docker:host": 1 }, true],
  ["a misspelt key", { "talos-fleet:platfrom": "docker" }, false],
  ["a misspelt key deep down", { "talos-fleet:docker": { subnett: "10.5.0.0/24" } }, false],
  ["an unknown platform", { "talos-fleet:platform": "metal" }, false],
  ["a key without the namespace", { clusterName: "other" }, true],
  ["a pool without a name", { "talos-fleet:workers": [{ count: 1 }] }, false],
  ["numbers given as text where the program takes both", { "talos-fleet:docker": { cpus: "1.5" } }, true],
])("%s", (_case, keys, success) => {
  expect(judged({ config: { ...lab, ...keys }, encryptionsalt: "v1:abc" })).toBe(success);
});

test("a required key that is missing", () => {
  const rest = Object.fromEntries(Object.entries(lab).filter(([key]) => key !== "talos-fleet:platform"));

  expect(judged({ config: rest })).toBe(false);
});

/** Every key below a schema, by path; `*` for names that the user chooses. */
function schemaPaths(schema: Json, at = ""): string[] {
  const {
    properties = {},
    items,
    additionalProperties,
    anyOf = [],
  } = schema as {
    properties?: Readonly<Record<string, Json>>;
    items?: Json;
    additionalProperties?: unknown;
    anyOf?: readonly Json[];
  };
  const named = Object.entries(properties).flatMap(([key, value]) => [
    `${at}.${key}`,
    ...schemaPaths(value, `${at}.${key}`),
  ]);
  const listed = items === undefined ? [] : schemaPaths(items, `${at}[]`);
  const free =
    typeof additionalProperties === "object" ? schemaPaths(additionalProperties as Json, `${at}.*`) : [];
  return [...named, ...listed, ...free, ...anyOf.flatMap((one) => schemaPaths(one, at))];
}

/** The sample with what is commented out brought in: the sections that cannot stand beside the others. */
function sampleKeys(): Json {
  const text = read("docs/config.sample.yaml");
  const open = text
    .replace(/^ {2}# (?=talos-fleet:docker:)/gm, "  ")
    .replace(/^ {2}# {3}/gm, "    ")
    .replace(
      /^ {4}# builder:\n {4}# {3}(\w+: \w+)\n {4}# {3}(\w+: \w+)$/m,
      "    builder:\n      $1\n      $2",
    );
  const { config } = parse(open) as { config: Json };
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key.replace("talos-fleet:", ""), value]),
  );
}

test("the sample holds every key of the schema at every depth, and no other", () => {
  const definitions = stackFileSchema()["definitions"] as Readonly<Record<string, Json>>;
  const known = Object.keys(settings).flatMap((key) => [
    `.${key}`,
    ...schemaPaths(definitions[key] ?? {}, `.${key}`),
  ]);
  const sample = Object.entries(sampleKeys()).flatMap(([key, value]) => [
    `.${key}`,
    ...pathsOf(value, `.${key}`),
  ]);

  expect([...new Set(sample)].sort()).toEqual([...new Set(known)].sort());
  expect(known).toEqual(
    expect.arrayContaining([".workers[].taints[].effect", ".hetzner.builder.location", ".docker.cpus"]),
  );
});

/** Every key of the sample; not the names that the user chooses, nor what Talos and the factory judge. */
function pathsOf(value: unknown, at: string): string[] {
  if (Array.isArray(value))
    return /\.(workers|taints)$/.test(at) ? value.flatMap((item) => pathsOf(item, `${at}[]`)) : [];
  if (typeof value !== "object" || value === null) return [];
  if (/\.(labels|schematic)$|^\.patches\.nodes$/.test(at)) return [];
  return Object.entries(value).flatMap(([key, item]) => [`${at}.${key}`, ...pathsOf(item, `${at}.${key}`)]);
}
