import fc from "fast-check";
import { stringify } from "yaml";
import { poisonFaults } from "../../factory/poison";
import { readSchematic } from "../../factory/read";
import type { OptionValue, Schematic } from "../../factory/types";
import { idOfText, writeSchematic } from "../../factory/write";
import { allDialects, asYaml } from "./support";

const odd = [
  "yes",
  "10:20",
  "<<",
  "~",
  "1.0",
  "a: b",
  "- a",
  "é",
  "😀",
  "\t",
  "a\n b\n",
  " ",
  "a \n",
  "'",
  '"',
  "0x1",
];
const word = fc.constantFrom(
  "siderolabs/iscsi-tools",
  "siderolabs/util-linux-tools",
  "console=ttyS0",
  "-quiet",
  ...odd,
);
/** No line separators of YAML 1.1 but the line feed, no lone surrogates. */
const text = fc
  .oneof(
    word,
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...Array.from(" \n\tab:#-'\"1.")), maxLength: 8 }),
  )
  .filter((value) => !/[\r\x85\u2028\u2029]|\p{Cs}/u.test(value));
const key = fc
  .string({ unit: fc.constantFrom(...Array.from("abyn1029_-.")), minLength: 1, maxLength: 6 })
  .filter((name) => /^[a-z]/.test(name));
const { option } = fc.letrec<{ option: OptionValue }>((tie) => ({
  option: fc.oneof(
    { maxDepth: 3, depthIdentifier: "option" },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("option"), { maxLength: 3 }),
    fc.dictionary(key, tie("option"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const schematics: fc.Arbitrary<Schematic> = fc.record({
  owner: fc.constant(""),
  overlay: fc.record({
    image: text,
    name: text,
    options: fc.dictionary(key, option, { maxKeys: 4, noNullPrototype: true }),
  }),
  customization: fc.record({
    embeddedMachineConfiguration: text,
    extraKernelArgs: fc.array(text, { maxLength: 4 }),
    meta: fc.array(fc.record({ key: fc.integer({ min: 0, max: 255 }), value: text }), { maxLength: 3 }),
    officialExtensions: fc.array(text, { maxLength: 4 }),
    bootloader: fc.constantFrom("none", "dual-boot", "sd-boot", "grub"),
    secureboot: fc.record({ enrollKeys: text, includeWellKnownCertificates: fc.boolean() }),
    sectorSize: fc.constantFrom(0, 512, 4096),
  }),
});

/** The same schematic as a user would have it in a file. */
function asInput({ owner, overlay, customization }: Schematic): unknown {
  const { officialExtensions, sectorSize, ...rest } = customization;
  return {
    owner,
    overlay,
    customization: { ...rest, systemExtensions: { officialExtensions }, diskImage: { sectorSize } },
  };
}

function read(input: string): Schematic {
  const { schematic, findings } = readSchematic(input);
  if (findings.faults.length > 0) throw new Error(JSON.stringify(findings.faults));
  return schematic;
}

const healthy = schematics.filter((schematic) => poisonFaults(schematic).length === 0);
const embeddedBreaks = (schematic: Schematic) =>
  /^\s/.test(schematic.customization.embeddedMachineConfiguration);

test("writing what was read changes nothing", () => {
  fc.assert(
    fc.property(healthy, fc.constantFrom(...allDialects), (schematic, dialect) => {
      // D1 and D2 never met embedded configs.
      fc.pre(!(embeddedBreaks(schematic) && (dialect === "D1" || dialect === "D2")));
      const once = writeSchematic(schematic, dialect);
      expect(writeSchematic(read(once), dialect)).toBe(once);
    }),
    { numRuns: 400 },
  );
});

test("what is read is what was written, order and duplicates kept", () => {
  fc.assert(
    fc.property(healthy, (schematic) => {
      const back = read(writeSchematic(schematic, "D4"));
      expect(back.customization).toEqual(schematic.customization);
    }),
    { numRuns: 200 },
  );
});

test("another order is another id, the same list twice as well", () => {
  const list = fc.uniqueArray(fc.stringMatching(/^siderolabs\/[a-z-]{1,10}$/), {
    minLength: 2,
    maxLength: 5,
  });
  const idOf = (names: string[]) =>
    idOfText(
      writeSchematic(
        read(asYaml({ customization: { systemExtensions: { officialExtensions: names } } })),
        "D4",
      ),
    );
  fc.assert(
    fc.property(list, (names) => {
      expect(idOf([...names].reverse())).not.toBe(idOf(names));
      expect(idOf([...names, ...names])).not.toBe(idOf(names));
      expect(idOf([...names])).toBe(idOf(names));
    }),
  );
});

test("the input's form has no influence: compact JSON, spaced JSON, keys reversed, YAML 1.1 as others write it", () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, item]) => [name, reversed(item)]),
    );
  };
  fc.assert(
    fc.property(healthy, (schematic) => {
      const input = asInput(schematic);
      const expected = writeSchematic(read(asYaml(input)), "D4");
      const others = [
        asYaml(reversed(input)),
        `# a comment\n--- ${asYaml(input)}\n... \n`,
        stringify(input, {
          version: "1.1",
          defaultStringType: "QUOTE_DOUBLE",
          defaultKeyType: "QUOTE_DOUBLE",
        }),
      ].filter(
        (text) => !/[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text),
      );
      for (const other of others) expect(writeSchematic(read(other), "D4")).toBe(expected);
    }),
    { numRuns: 200 },
  );
});

test("realistic schematics are certain", () => {
  const name = fc.stringMatching(/^siderolabs\/[a-z0-9-]{1,20}$/);
  const arg = fc
    .stringMatching(/^-?[a-z][a-z0-9._]{1,12}(=[a-z0-9,:./]{1,12})?$/)
    .filter((value) => !/^(?:yes|no|on|off|true|false|null)$/.test(value));
  fc.assert(
    fc.property(fc.array(name), fc.array(arg), (officialExtensions, extraKernelArgs) => {
      const schematic = read(
        asYaml({ customization: { extraKernelArgs, systemExtensions: { officialExtensions } } }),
      );
      expect(new Set(allDialects.map((dialect) => writeSchematic(schematic, dialect))).size).toBe(1);
    }),
  );
});
