import { parseDocuments, plainValue, readFirstDocument, YamlError } from "../../base/yaml";

const lineOf = (text: string): unknown => {
  try {
    return readFirstDocument(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return `${error.line}: ${error.message}`;
  }
};

test("a key that stands twice is refused with the line of the second, wherever it is", () => {
  expect(lineOf("a: 1\nb: 2\na: 3\n")).toBe("3: Map keys must be unique");
  expect(lineOf("a:\n  - {x: 1,\n     x: 2}\n")).toBe("3: Map keys must be unique");
  expect(lineOf('1: a\n"1": b\n')).toBe("2: Map keys must be unique");
});

test("merges may come twice in one mapping", () => {
  expect(readFirstDocument("x: &x {a: 1}\ny: &y {b: 2}\nz:\n  <<: *x\n  <<: *y\n")).toMatchObject({
    z: { a: 1, b: 2 },
  });
});

test("20,000 keys in one mapping are read in a moment", () => {
  const text = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1\n`).join("");
  const start = Date.now();
  const [document] = parseDocuments(text);
  expect(Object.keys(document === undefined ? {} : (plainValue(document) as object))).toHaveLength(20_000);
  expect(Date.now() - start).toBeLessThan(4000);
});
