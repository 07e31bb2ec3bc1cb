import { resolveSchematic } from "../../factory/resolve";
import { allDialects, faultsOf, resolved, written } from "./support";

const vanilla = "376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba";

test.each([
  "{}",
  "null",
  "~",
  "---",
  "customization:",
  "customization: {}",
  "customization: ~\noverlay: {}\n",
])("%j is the plain image", (text) => {
  expect(resolved(text).id).toBe(vanilla);
});

test.each(["", "\n", "# only a comment\n", "  # one\n\n", "\ufeff", "..."])("%j is empty", (text) => {
  expect(faultsOf(text)).toEqual([
    {
      key: "schematic",
      value: "(empty)",
      rule: "a schematic must not be empty",
      repair: "write `customization: {}` for a plain image",
    },
  ]);
});

test("a second document is ignored, even a broken one, and that is said", () => {
  const { id, warnings } = resolved("customization: {}\n---\nx: [\n");
  expect(id).toBe(vanilla);
  expect(warnings).toEqual(["Only the first YAML document counts; the rest of the file is ignored."]);
});

const unknown: [string, string, string][] = [
  ["something: 1", "schematic.something", "remove it, or write one of these"],
  ["Customization: {}", "schematic.Customization", "did you mean customization?"],
  [
    "customization: {systemExtension: {officialExtensions: [siderolabs/iscsi-tools]}}",
    "schematic.customization.systemExtension",
    "did you mean systemExtensions?",
  ],
  [
    "customization: {systemExtensions: {officialExtension: []}}",
    "schematic.customization.systemExtensions.officialExtension",
    "did you mean officialExtensions?",
  ],
  [
    "customization: {meta: [{key: 1, value: x}, {key: 2, valeu: x}]}",
    "schematic.customization.meta[1].valeu",
    "did you mean value?",
  ],
  [
    "customization: {secureboot: {enrolKeys: force}}",
    "schematic.customization.secureboot.enrolKeys",
    "did you mean enrollKeys?",
  ],
  [
    "customization: {diskImage: {sectorsize: 1}}",
    "schematic.customization.diskImage.sectorsize",
    "did you mean sectorSize?",
  ],
  ["overlay: {name: x, img: y}", "schematic.overlay.img", "did you mean image?"],
  ["customization: {__proto__: {}}", "schematic.customization.__proto__", "remove it, or write one of these"],
];

test.each(unknown)("unknown key in %s", (text, key, repair) => {
  expect(faultsOf(text)).toEqual([expect.objectContaining({ key, value: "unknown key", repair })]);
});

test("a duplicate key is refused", () => {
  expect(faultsOf("customization:\n  bootloader: grub\n  bootloader: grub\n")).toEqual([
    expect.objectContaining({
      key: "schematic.customization.bootloader",
      rule: "the key is already set on line 2",
    }),
  ]);
});

test("all faults come at once, each with its line", () => {
  const text = "somthing: 1\ncustomization:\n  bootloader: auto\n  meta:\n  - {key: 256, value: {a: b}}\n";
  const result = resolveSchematic(text, "factory/schematic.yaml");
  expect(result.ok ? [] : result.faults.map(({ key }) => key)).toEqual([
    "factory/schematic.yaml:1 somthing",
    "factory/schematic.yaml:3 customization.bootloader",
    "factory/schematic.yaml:5 customization.meta[0].key",
    "factory/schematic.yaml:5 customization.meta[0].value",
  ]);
});

test.each([
  ["%YAML 1.2\n---\n{}", /YAML 1\.1 only/],
  ["customization:\n\textraKernelArgs: [a]", /not valid YAML: Tabs/],
  ['customization: {extraKernelArgs: ["a\u0001"]}', /control characters/],
  ["customization: {extraKernelArgs: [a\u2028b]}", /unusual line breaks/],
  ["customization: [", /not valid YAML/],
  ["# a\n...\ncustomization: {bootloader: grub}", /must not start with its end/],
  ["customization: {extraKernelArgs: [*nothing]}", /unknown anchor 'nothing'/],
  ["customization: &c {extraKernelArgs: [*c]}", /contains itself/],
  ["<<: text", /map merge requires/],
  ["- a", /must be a map/],
  ["text", /must be a map/],
  ["customization: {embeddedMachineConfiguration: {machine: {}}}", /must be text \(put `\|`/],
  ["customization: {extraKernelArgs: a}", /must be a list/],
  ["customization: {extraKernelArgs: [[a]]}", /must be text/],
  ["customization: {extraKernelArgs: [2001-01-01]}", /a date without quotes/],
  ["customization: {extraKernelArgs: [!!int x]}", /tag !!int does not fit/],
  ["customization: {extraKernelArgs: [!!binary '*']}", /!!binary must hold/],
  ['{"customization":{"extraKernelArgs":["\\ud83d\\ude00"]}}', /surrogate escapes/],
  ["customization: {bootloader: auto}", /one of none, dual-boot, sd-boot, grub/],
])("%j is refused", (text, rule) => {
  expect(faultsOf(text)).toEqual([expect.objectContaining({ rule: expect.stringMatching(rule) as string })]);
});

test("aliases that grow without end are refused", () => {
  const levels = "abcdefghi".split("").map((name, index, all) => {
    const inner = index === 0 ? "x" : `*${all[index - 1] ?? ""}`;
    return `  ${name}: &${name} [${Array<string>(10).fill(inner).join(", ")}]`;
  });
  const faults = faultsOf(`overlay:\n  name: x\n  options:\n  ${levels.join("\n  ")}\n`);
  expect(faults).toContainEqual(expect.objectContaining({ rule: "document contains excessive aliasing" }));
});

test("%YAML 1.1, a byte-order mark and CRLF change nothing", () => {
  const plain = "customization:\n  extraKernelArgs:\n  - a\n";
  for (const text of [`\ufeff${plain}`, plain.replaceAll("\n", "\r\n"), `%YAML 1.1\n---\n${plain}`]) {
    expect(resolved(text).id).toBe(resolved(plain).id);
  }
});

test("anchors, aliases and merges are resolved; own keys win", () => {
  const text = `overlay: {name: x, options: {a: &list [p, q]}}
customization:
  <<: [{bootloader: grub, secureboot: {enrollKeys: force}}, {bootloader: none, extraKernelArgs: [never]}]
  extraKernelArgs: *list
`;
  expect(resolved(text).spec.customization).toMatchObject({
    bootloader: "grub",
    extraKernelArgs: ["p", "q"],
    secureboot: { enrollKeys: "force" },
  });
});

test("tags: !!binary is decoded, !!str kept, unknown ones ignored", () => {
  const text = "customization: {extraKernelArgs: [!!binary aGk=, !foo bar, !!str 5, !!int 0x10]}";
  expect(resolved(text).spec.customization.extraKernelArgs).toEqual(["hi", "bar", "5", "0x10"]);
});

test("comments, key order, quoting and indentation have no influence", () => {
  const spellings = [
    "customization:\n  bootloader: grub\n  extraKernelArgs: [a, 'b']\n",
    '# c\ncustomization: # c\n        extraKernelArgs:\n        - "a"\n        # c\n        - b\n        bootloader: "GRUB"\n',
    '{"customization":{"extraKernelArgs":["a","b"],"bootloader":"grub"}}',
    "? customization\n: {extraKernelArgs: [a, b,], bootloader: grub}\n",
  ];
  for (const dialect of allDialects) {
    expect(new Set(spellings.map((text) => written(text, dialect))).size).toBe(1);
  }
});

test.each([
  ["customization:\n  extraKernelArgs: [a\n", "line 2"],
  ['customization:\n  extraKernelArgs: ["a\n\n\n', "line 2"],
  ["customization: [", "line 1"],
])("what is missing at the end of %j is told of the last line there is", (text, line) => {
  expect(faultsOf(text)).toMatchObject([{ value: line }]);
});
