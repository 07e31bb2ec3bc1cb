import { poisonFaults } from "../../factory/poison";
import { readSchematic } from "../../factory/read";
import type { Dialect } from "../../factory/types";
import { writeSchematic } from "../../factory/write";
import { allDialects, testdata } from "./support";

/** One input with the answers of the Go library behind each dialect (factory/testdata/README.md). */
interface Golden {
  readonly in: string;
  readonly out: readonly { readonly dialects: readonly Dialect[]; readonly text: string }[];
  readonly refused: readonly Dialect[];
  readonly unreadable: readonly Dialect[];
}

const cases = testdata("golden.jsonl")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Golden);

test("the file is not empty", () => {
  expect(cases.length).toBeGreaterThan(150);
});

describe.each(cases.map((golden, index) => [index + 1, golden] as const))("line %i", (_, golden) => {
  const { schematic, findings } = readSchematic(golden.in);

  test("is refused by the dialects that refuse it", () => {
    const refusedBy = (dialect: Dialect) =>
      findings.faults.length > 0 || (dialect === "D4" && findings.dates.length > 0);
    expect(allDialects.filter(refusedBy)).toEqual(golden.refused);
  });

  test("is written byte for byte", () => {
    for (const { dialects, text } of golden.out) {
      for (const dialect of dialects) expect(writeSchematic(schematic, dialect)).toBe(text);
    }
  });

  // Releases of D1 and D2 do not know embeddedMachineConfiguration: what their library would do to it harms nobody.
  const harmful = golden.unreadable.filter((dialect) => {
    const startsBlank = /^\s/.test(schematic.customization.embeddedMachineConfiguration);
    return !(startsBlank && (dialect === "D1" || dialect === "D2"));
  });
  if (harmful.length > 0) {
    test("is refused as unreadable", () => {
      expect(poisonFaults(schematic)).not.toEqual([]);
    });
  }
});
