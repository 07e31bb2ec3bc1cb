/** The length of comments, on what the rule must find and what it must leave alone. */
import { Linter } from "eslint";
import tseslint from "typescript-eslint";

import { shortComments } from "../../lint/short-comments";

const plugin = { rules: { "short-comments": shortComments } } as never;

function found(code: string): string[] {
  const config: Linter.Config = {
    files: ["**/*.ts"],
    languageOptions: { parser: tseslint.parser },
    plugins: { "talos-fleet": plugin },
    rules: { "talos-fleet/short-comments": "error" },
  };
  return new Linter().verify(code, [config], "x.ts").map(({ line, message }) => `${line}: ${message}`);
}

const says = (line: number, lines: number): string[] => [
  `${line}: ${lines} lines: a comment says a reason or an invariant in three; more belongs into a page.`,
];

test.each([
  ["a file's head", "/**\n * a\n * b\n *\n * c\n * d\n */\nimport x from 'x';\nexport { x };", says(1, 4)],
  ["a file's head above an export", "/**\n * a\n * b\n * c\n * d\n */\n\nexport const x = 1;", says(1, 4)],
  ["what is not exported", "/**\n * a\n * b\n * c\n * d\n */\nconst x = 1;", says(1, 4)],
  ["lines", "const x = 1;\n// a\n// b\n// c\n// d\n// e\nexport { x };", says(2, 5)],
  ["a block that is no docstring", "/* a\n b\n c\n d */\nexport const x = 1;", says(1, 4)],
  ["inside a function", "export function f() {\n  // a\n  // b\n  // c\n  // d\n}", says(2, 4)],
])("found: %s", (_what, code, expected) => {
  expect(found(code)).toEqual(expected);
});

test.each([
  ["three lines", "// a\n// b\n// c\nconst x = 1;\n// d\nexport { x };"],
  ["two texts", "// a\n// b\n\n// c\n// d\nexport const x = 1;"],
  ["three lines in a frame", "/**\n * a\n * b\n *\n * c\n */\nconst x = 1;"],
  ["a docstring of what is exported", "/**\n * a\n * b\n * c\n * d\n */\nexport const x = 1;"],
])("left alone: %s", (_what, code) => {
  expect(found(code)).toEqual([]);
});
