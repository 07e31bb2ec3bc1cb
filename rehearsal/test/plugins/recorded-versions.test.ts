/** What the README says of the recordings' versions, against the recordings. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../plugins/framework/values";
import { readRecordings } from "../support/recordings";

const readme = readFileSync(join(__dirname, "../../README.md"), "utf8").replaceAll("\n", " ");

/** `talos 0.8.1, hcloud 1.41.0` of a sentence, as pairs. */
const versionsIn = (sentence: RegExp): [string, string][] =>
  [...(sentence.exec(readme)?.[0] ?? "").matchAll(/(\w+) (\d+\.\d+\.\d+)/g)].map(
    ([, plugin = "", version = ""]) => [plugin, version],
  );

const asked = versionsIn(/the one that the SDK asked for: .*?\. /);

/** The versions that stand in the recordings of a plugin's provider. */
function recorded(plugin: string): unknown[] {
  const calls = readRecordings(plugin, /CheckConfig/).map(({ request }) => request["news"] as JsonObject);
  return [...new Set(calls.map(({ version }) => version))];
}

test("five plugins are told of", () => {
  expect(asked.map(([plugin]) => plugin).sort()).toEqual([
    "command",
    "docker",
    "hcloud",
    "kubernetes",
    "talos",
  ]);
});

test.each(asked)("%s was asked for as %s", (plugin, version) => {
  expect(recorded(plugin)).toEqual([version]);
});

test("failures name the same versions", () => {
  for (const { request } of readRecordings("errors", /./)) {
    const { version } = (request["news"] ?? {}) as JsonObject;
    if (version !== undefined) expect(asked.map(([, one]) => one)).toContain(version);
  }
});

test("the docker plugin that answered is the older one, as its containers show", () => {
  const sdk = readFileSync(require.resolve("@pulumi/docker/container.d.ts"), "utf8");
  const answers = readRecordings("docker", /container:Container Create/).map(
    ({ response }) => (response?.["properties"] ?? {}) as JsonObject,
  );

  expect(sdk).toContain("readonly deviceCgroupRules:");
  expect(answers.length).toBeGreaterThan(0);
  for (const answer of answers) {
    expect(answer).toHaveProperty("devices");
    expect(answer).not.toHaveProperty("deviceCgroupRules");
  }
  expect(versionsIn(/What answered were, .*? kubernetes [\d.]+\./)).toContainEqual(["docker", "5.1.0"]);
});
