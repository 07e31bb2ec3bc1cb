import { readSchematic } from "../../factory/read";
import { args, faultsOf, resolved, written } from "./support";

test("empty items are dropped and said, empty strings kept", () => {
  const text = "customization:\n  extraKernelArgs: [a, null, ~, '', b]\n  meta: [null, {key: 1, value: x}]\n";
  const { spec, warnings } = resolved(text);
  expect(spec.customization.extraKernelArgs).toEqual(["a", "", "b"]);
  expect(spec.customization.meta).toEqual([{ key: 1, value: "x" }]);
  const dropped = warnings.filter((warning) => warning.endsWith("the factory drops it."));
  expect(dropped.map((warning) => warning.split(" ")[0])).toEqual([
    "customization.extraKernelArgs[1]",
    "customization.extraKernelArgs[2]",
    "customization.meta[0]",
  ]);
});

test("strings keep their source text", () => {
  const text = "customization: {extraKernelArgs: [0x10, 1.50, true, yes, 012, 1_000, .inf]}";
  expect(resolved(text).spec.customization.extraKernelArgs).toEqual([
    "0x10",
    "1.50",
    "true",
    "yes",
    "012",
    "1_000",
    ".inf",
  ]);
});

test("an unquoted date is kept by all dialects but D4", () => {
  const { schematic, findings } = readSchematic("customization: {extraKernelArgs: [2001-01-01]}");
  expect(schematic.customization.extraKernelArgs).toEqual(["2001-01-01"]);
  expect(findings.faults).toEqual([]);
  expect(findings.dates).toHaveLength(1);
  expect(faultsOf(args("2001-01-01"))).toEqual([]);
});

test.each(["0xa", "012", "0o12", "10.0", "1_0", "0b1010", "+10"])("meta.key %s is 10", (key) => {
  expect(resolved(`customization: {meta: [{key: ${key}, value: x}]}`).spec.customization.meta[0]?.key).toBe(
    10,
  );
});

test("a missing meta.key is 0", () => {
  expect(resolved("customization: {meta: [{value: x}]}").spec.customization.meta).toEqual([
    { key: 0, value: "x" },
  ]);
});

test.each(['"10"', "256", "-1", "10.5", "x", "[1]"])("meta.key %s is refused", (key) => {
  const faults = faultsOf(`customization: {meta: [{key: ${key}, value: x}]}`);
  expect(faults).toEqual([expect.objectContaining({ rule: "this must be a whole number from 0 to 255" })]);
});

test.each([
  ["true", true],
  ["True", true],
  ["yes", true],
  ["on", true],
  ["Y", true],
  ['"yes"', true],
  ["~", false],
  ["false", false],
  ["no", false],
  ["Off", false],
  ["n", false],
])("the bool %s is %s", (word, value) => {
  const { spec } = resolved(`customization: {secureboot: {includeWellKnownCertificates: ${word}}}`);
  expect(spec.customization.secureboot.includeWellKnownCertificates).toBe(value);
});

test.each(['"true"', "1", "tRue", "[]"])("the bool %s is refused", (word) => {
  const faults = faultsOf(`customization: {secureboot: {includeWellKnownCertificates: ${word}}}`);
  expect(faults).toEqual([expect.objectContaining({ rule: "this must be true or false" })]);
});

test.each([
  ["4096", 4096],
  ["0x1000", 4096],
  ["4096.0", 4096],
  ["512", 512],
])("sectorSize %s", (word, value) => {
  expect(resolved(`customization: {diskImage: {sectorSize: ${word}}}`).spec.customization.sectorSize).toBe(
    value,
  );
  expect(written(`customization: {diskImage: {sectorSize: ${word}}}`, "D4")).toContain(
    `sectorSize: ${value}\n`,
  );
});

test.each(['"4096"', "-1", "1.5"])("sectorSize %s is refused", (word) => {
  expect(faultsOf(`customization: {diskImage: {sectorSize: ${word}}}`)).toHaveLength(1);
});

test("an overlay with keys and no name is refused, though the factory would take it (C002)", () => {
  for (const text of [
    'overlay: {image: "", name: ""}',
    "overlay: {image: x}",
    "overlay: {options: {a: b}}",
  ]) {
    expect(faultsOf(text)).toEqual([expect.objectContaining({ key: "schematic.overlay.name" })]);
  }
  expect(written('overlay: {image: "", name: ""}', "D4")).toBe("customization: {}\n");
});

test("overlay.options: text, bools, safe integers, null, lists and maps", () => {
  const text =
    "overlay: {name: x, options: {a: 0x10, b: 010, c: 1_000, d: [~, yes, true], e: {f: 'g'}, h: {}, i: []}}";
  expect(resolved(text).spec.overlay.options).toEqual({
    a: 16,
    b: 8,
    c: 1000,
    d: [null, "yes", true],
    e: { f: "g" },
    h: {},
    i: [],
  });
});

test.each([
  ["1.5", /options may hold/],
  [".inf", /options may hold/],
  ["2001-01-01", /options may hold/],
  ["9007199254740993", /options may hold/],
  ["{1: a}", /key must be text/],
  ["{~: a}", /key must be text/],
  ['{"a\\nb": c}', /a single line/],
  [`{${"a".repeat(129)}: b}`, /128 bytes/],
  [`{"a${"1".repeat(19)}": b}`, /18 digits/],
])("the option %s is refused", (value, rule) => {
  const faults = faultsOf(`overlay: {name: x, options: {o: ${value}}}`);
  expect(faults).toEqual([expect.objectContaining({ rule: expect.stringMatching(rule) as string })]);
});
