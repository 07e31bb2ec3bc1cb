import fc from "fast-check";
import { textDiff } from "../../factory/text-diff";

test("one changed line among others", () => {
  const ours = "customization:\n    secureboot:\n        enrollKeys: 'off'\n";
  const theirs = 'customization:\n    secureboot:\n        enrollKeys: "off"\n';
  expect(textDiff(ours, theirs)).toBe(
    `  customization:\n      secureboot:\n-         enrollKeys: 'off'\n+         enrollKeys: "off"`,
  );
});

test("lines added and removed", () => {
  expect(textDiff("a\nb\nc\n", "b\nc\nd\n")).toBe("- a\n  b\n  c\n+ d");
});

test("a missing line break at the end shows", () => {
  expect(textDiff("a\n", "a")).toBe("- a\n+ a (no line break at the end)");
});

test("both texts can be read from the diff", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 8 });
  fc.assert(
    fc.property(lines, lines, (left, right) => {
      const diff = textDiff(
        left.map((line) => `${line}\n`).join(""),
        right.map((line) => `${line}\n`).join(""),
      );
      const rows = diff === "" ? [] : diff.split("\n");
      const side = (marks: string) =>
        rows.filter((row) => marks.includes(row[0] ?? "")).map((row) => row.slice(2));
      expect(side(" -")).toEqual(left);
      expect(side(" +")).toEqual(right);
    }),
  );
});
