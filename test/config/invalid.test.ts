import { ConfigError } from "../../base/faults";
import { readDraft } from "../../config/draft";
import { layoutOf } from "../../config/layout";
import { loadPatches } from "../../config/patches";
import { resolveConfig } from "../../config/resolve";
import { rules as everyRun, upRules } from "../../config/rules";
import { fixtures } from "./fixtures";
import type { Fixture } from "./fixtures";

const all = fixtures();
const rules = { ...everyRun, ...upRules };

test.each(all.map((fixture) => [fixture.name, fixture] as const))("%s", (_name, { raw, io, expected }) => {
  const count = expected.length === 1 ? "1 fault" : `${expected.length} faults`;
  const message = [`The configuration has ${count}; nothing has been created:`, ...expected].join("\n");

  expect(expected.length).toBeGreaterThan(0);
  expect(() => resolveConfig(raw, io)).toThrow(ConfigError);
  expect(messageOf({ raw, io })).toBe(message);
});

test("every line reads KEY: VALUE: rule; repair", () => {
  const lines = all.flatMap(({ expected }) => expected);

  expect(lines.filter((line) => !/^[^;]+: [^;]+: [^;]+; [^;]+$/.test(line))).toEqual([]);
});

test("there is a fixture for every rule", () => {
  const spoken = new Set(all.flatMap(rulesThatSpeak));

  expect(Object.keys(rules).filter((name) => !spoken.has(name))).toEqual([]);
});

test("no value that may be secret is printed", () => {
  const given = all.filter(({ raw }) => JSON.stringify(raw).includes("sesame"));

  expect(given.map(({ name }) => name)).toEqual([
    "engine-password.yaml",
    "factory-url-password.yaml",
    "json-broken.yaml",
    "patch-json-object.yaml",
    "patch-list-of-one.yaml",
    "patch-owned-key.yaml",
  ]);
  expect(given.map(messageOf).join("\n")).not.toContain("sesame");
});

function messageOf({ raw, io }: Pick<Fixture, "raw" | "io">): string {
  try {
    resolveConfig(raw, io);
    return "no fault";
  } catch (error) {
    return (error as Error).message;
  }
}

function rulesThatSpeak({ raw, io }: Fixture): string[] {
  const draft = readDraft(raw);
  const { patches } = loadPatches(draft, io.readText);
  const input = { draft, patches, layout: layoutOf(draft, io.stack), ...io };
  return Object.keys(rules).filter((name) => (rules[name]?.(input) ?? []).length > 0);
}
