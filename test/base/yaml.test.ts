import { parseDocuments, parseJson, plainValue, readFirstDocument, YamlError } from "../../base/yaml";

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
  expect(Object.keys(document === undefined ? {} : (plainValue(document, text) as object))).toHaveLength(
    20_000,
  );
  expect(Date.now() - start).toBeLessThan(4000);
});

test("what would become a date, bytes or a set is refused, and so is a tag of somebody's own", () => {
  expect(lineOf("a: 1\nb: !!binary aGVsbG8=\n")).toBe(
    "2: the tag tag:yaml.org,2002:binary means nothing here",
  );
  expect(lineOf("a: !!set {x}\n")).toMatch(/^1: the tag .*set means nothing here$/);
  expect(lineOf("a: !!timestamp 2001-01-01\n")).toMatch(/^1: the tag .*timestamp means nothing here$/);
  expect(lineOf("a: !mine {x: 1}\n")).toMatch(/^1: /);
  expect(lineOf("a: !!str 1\nb: !!int 2\nc: !!map {x: !!null ~}\nd: !!seq [! x]\n")).toEqual({
    a: "1",
    b: 2,
    c: { x: null },
    d: ["x"],
  });
});

test("nesting without end is a fault of the text, in YAML and in JSON", () => {
  const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  expect(lineOf(`a: 1\nb: ${deep(300)}\n`)).toBe("2: is nested too deeply");
  expect(lineOf(`a: ${deep(5000)}\n`)).toBe("1: is nested too deeply");
  expect(() => parseJson(deep(30_000))).toThrow(SyntaxError);
  expect(parseJson(`{"a": ${deep(50)}, "b": "${"[".repeat(500)}"}`)).toMatchObject({ b: "[".repeat(500) });
});

test("what is missing at the end is told of the last line there is", () => {
  expect(lineOf('a: "x\n')).toMatch(/^1: Missing closing/);
  expect(lineOf("a: 1\nb: [1,\n\n\n")).toMatch(/^2: /);
  expect(lineOf("a: [1\nb: 2\n")).toMatch(/^2: /);
});

test("aliases that grow without end are told of the line on which they do", () => {
  const row = (name: string, of: string) => `${name}: &${name} [${Array(20).fill(`*${of}`).join(", ")}]\n`;

  expect(lineOf(`a: &a [1, 1, 1]\n${row("b", "a")}${row("c", "b")}${row("d", "c")}`)).toMatch(
    /^3: Excessive/,
  );
  expect(lineOf(`a: &a [x]\nb:\n${"  - *a\n".repeat(150)}`)).toMatch(/^102: Excessive/);
});
