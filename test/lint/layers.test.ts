/** The borders between the folders, as the project's own lint configuration holds them. */
import { lintWithOnly } from "./only";

jest.setTimeout(120_000);

const RULES = ["import-x/no-restricted-paths", "import-x/no-cycle"];
const lint = lintWithOnly(RULES, "untyped");

/** What lint has against a file of this text, of the rules that hold the borders. */
async function against(file: string, code: string): Promise<string[]> {
  return (await lint(file, code)).map(({ ruleId, message }) => ruleId ?? message);
}

const border = ["import-x/no-restricted-paths"];

test.each([
  ["base/nearest.ts", "../agreed/ports"],
  ["agreed/ports.ts", "../factory/images"],
  ["factory/images.ts", "../agreed/ports"],
  ["factory/images.ts", "../config/types"],
  ["config/types.ts", "../machine/image"],
  ["machine/image.ts", "../components/tokens"],
  ["components/tokens.ts", "../ops/lib/input"],
  ["ops/lib/input.ts", "../../components/tokens"],
  ["ops/lib/input.ts", "../../toolchain/build"],
  ["toolchain/build.ts", "../ops/lib/input"],
  ["sdks/talos/index.ts", "../../base/nearest"],
])("%s may not import %s", async (file, from) => {
  expect(await against(file, `import * as other from "${from}";\nexport const kept = other;`)).toEqual(
    border,
  );
  expect(await against(file, `export const kept = import("${from}");`)).toEqual(border);
});

test.each([
  ["components/tokens.ts", "../index"],
  ["toolchain/build.ts", "../rehearsal/tools"],
])("%s may not import %s, which imports it: a border and a circle", async (file, from) => {
  const both = ["import-x/no-cycle", ...border];
  expect(await against(file, `import * as other from "${from}";\nexport const kept = other;`)).toEqual(both);
  expect(await against(file, `export const kept = import("${from}");`)).toEqual(both);
});

test("what lies to the left may be imported", async () => {
  expect(await against("ops/lib/input.ts", 'export { ports } from "../../agreed/ports";')).toEqual([]);
});

test("a circle of imports is found: which file is whole first would depend on who is asked first", async () => {
  const code = 'import { namedOr } from "./draft";\nexport const required = namedOr;';
  expect(await against("config/required.ts", code)).toEqual(["import-x/no-cycle"]);
});
