import { compareKeys } from "../../factory/sort-keys";
import { allDialects, args, asYaml, written } from "./support";

describe("literal blocks", () => {
  const block = (text: string) => {
    const input = asYaml({ customization: { embeddedMachineConfiguration: text } });
    return allDialects.map((dialect) =>
      written(input, dialect).replace(/^.*\n.*embeddedMachineConfiguration: /, ""),
    );
  };
  const alike = (form: string) => Array(5).fill(form) as string[];

  test("chomping", () => {
    expect(block("a\nb")).toEqual(alike("|-\n        a\n        b\n"));
    expect(block("a\nb\n")).toEqual(alike("|\n        a\n        b\n"));
    expect(block("a\n\n\n")).toEqual(alike("|+\n        a\n\n\n"));
  });

  test("a space first needs a hint", () => {
    expect(block("  a\nb\n")).toEqual(alike("|4\n          a\n        b\n"));
  });

  test("tabs inside are kept, empty lines have no indent", () => {
    expect(block("a\tb\n\n\tc\n")).toEqual(alike("|\n        a\tb\n\n        \tc\n"));
  });

  test("a break first", () => {
    const kept = "\n\n        a\n";
    expect(block("\na\n")).toEqual(["|4\n        a\n", `|4${kept}`, `|${kept}`, `|${kept}`, `|${kept}`]);
  });

  test("a space before a break is quoted, but not by D5", () => {
    expect(block("a \nb\n")).toEqual([
      ...(Array(4).fill('"a \\nb\\n"\n') as string[]),
      "|\n        a \n        b\n",
    ]);
  });

  test("white space alone is quoted, but not by D1", () => {
    expect(block("\n\n")).toEqual(["|4+\n\n", ...(Array(4).fill('"\\n\\n"\n') as string[])]);
  });

  test("characters beyond U+FFFF are quoted", () => {
    expect(block("😀\na\n")).toEqual(alike('"\\U0001F600\\na\\n"\n'));
  });

  test("in lists and meta values the text is indented by two", () => {
    const meta = asYaml({ customization: { meta: [{ key: 1, value: "a\nb\n" }] } });
    expect(written(meta, "D4")).toContain(
      "        - key: 1\n          value: |\n            a\n            b\n",
    );
    expect(written(args("a\nb\n"), "D4")).toContain("        - |\n          a\n          b\n");
  });

  test("the hint of D5 is the true indentation", () => {
    expect(written(args(" a\nb"), "D5")).toContain("- |2-\n           a\n          b\n");
    expect(written(args(" a\nb"), "D4")).toContain("- |4-\n           a\n          b\n");
  });
});

test("field order is fixed, empty fields are left out", () => {
  const text = `customization: {diskImage: {sectorSize: 4096}, secureboot: {includeWellKnownCertificates: true, enrollKeys: force},
  bootloader: grub, systemExtensions: {officialExtensions: [e]}, meta: [{value: v, key: 1}], extraKernelArgs: [k],
  embeddedMachineConfiguration: c}
overlay: {options: {b: 1}, name: n, image: i}
owner: o`;
  expect(written(text, "D4")).toBe(`owner: o
overlay:
    image: i
    name: 'n'
    options:
        b: 1
customization:
    embeddedMachineConfiguration: c
    extraKernelArgs:
        - k
    meta:
        - key: 1
          value: v
    systemExtensions:
        officialExtensions:
            - e
    bootloader: grub
    secureboot:
        enrollKeys: force
        includeWellKnownCertificates: true
    diskImage:
        sectorSize: 4096
`);
});

test("nested options", () => {
  const text = "overlay: {name: x, options: {l: [[a, b], {c: d, e: [f]}, {}, []], m: {n1: {p: null}}}}";
  expect(written(text, "D3").split("options:\n")[1]).toBe(`        l:
            - - a
              - b
            - c: d
              e:
                - f
            - {}
            - []
        m:
            n1:
                p: null
customization: {}
`);
});

test.each([
  [
    ["a10", "a2", "a1"],
    ["a1", "a2", "a10"],
  ],
  [
    ["b", "a", "B", "_", "1"],
    ["_", "1", "B", "a", "b"],
  ],
  [
    ["1a", "10", "1-"],
    ["1a", "1-", "10"],
  ],
  [
    ["a01", "a1", "a0", "a00"],
    ["a0", "a00", "a1", "a01"],
  ],
  [
    ["ab", "a", "a-b"],
    ["a", "a-b", "ab"],
  ],
])("option keys %j are sorted as %j", (keys, sorted) => {
  expect([...keys].sort(compareKeys)).toEqual(sorted);
});
