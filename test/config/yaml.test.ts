/** Patches and stack files are read as Talos reads YAML, to the last digit. */
import { readFirstDocument, YamlError } from "../../base/yaml";
import { parseValue } from "../../config/raw";
import { readDocuments } from "../../config/yaml";
import { changed, resolve } from "./fixtures";

describe("YAML is read as Talos reads it", () => {
  test.each([
    ["machine: {kubelet: {extraArgs: {v: 1.10}}}", { machine: { kubelet: { extraArgs: { v: "1.10" } } } }],
    ["machine: {sysctls: {kernel.panic: 010}}", { machine: { sysctls: { "kernel.panic": "010" } } }],
    ["machine: {files: [{permissions: 0644}]}", { machine: { files: [{ permissions: 420 }] } }],
    ["machine: {files: [{permissions: 0o644}]}", { machine: { files: [{ permissions: 420 }] } }],
    ["machine: {nodeLabels: {a: true, b: 'x'}}", { machine: { nodeLabels: { a: "true", b: "x" } } }],
    ["machine: {features: {rbac: true}}", { machine: { features: { rbac: true } } }],
    ["a: &x {b: 1}\nc: {<<: *x, d: 2}", { a: { b: 1 }, c: { b: 1, d: 2 } }],
  ])("%s", (text, value) => {
    expect(readDocuments(text)).toEqual([value]);
  });

  test("an alias without its anchor is an error", () => {
    expect(() => readDocuments("machine: *nothing")).toThrow(YamlError);
  });

  test("a key given twice is an error with its line", () => {
    expect(() => readDocuments("machine:\n  env: {}\n  env: {}\n")).toThrow(YamlError);
    expect(() => readDocuments("machine:\n  env: {}\n  env: {}\n")).toThrow(/unique/);
  });
});

describe("what a file says is kept to its last digit", () => {
  test.each([
    [
      "cluster: {apiServer: {extraArgs: {tls-x: [1.0, 1.10]}}}",
      { cluster: { apiServer: { extraArgs: { "tls-x": ["1.0", "1.10"] } } } },
    ],
    [
      "machine: {sysctls: {kernel.shmmax: 18446744073692774399}}",
      { machine: { sysctls: { "kernel.shmmax": "18446744073692774399" } } },
    ],
  ])("%s", (text, value) => {
    expect(readDocuments(text)).toEqual([value]);
  });

  test("a large number inside the stack file as well, by whichever way it comes", () => {
    const text =
      '[{"machine":{"sysctls":{"kernel.shmmax":18446744073692774399,"a":"12345678901234567890","b":1.5}}}]';
    const inFile = readFirstDocument(text.slice(1, -1));

    expect(parseValue(text)).toEqual([inFile]);
    expect(resolve(changed("lab", { patches: { all: [inFile] } })).nodes[0]?.patches[0]?.documents).toEqual([
      {
        machine: {
          sysctls: { "kernel.shmmax": "18446744073692774399", a: "12345678901234567890", b: "1.5" },
        },
      },
    ]);
  });
});

test.each(["a: &a {x: *a}", "&a [1, *a]", "a: &a {b: &b {c: [*a]}}"])(
  "%s: an alias inside what it names",
  (text) => {
    expect(() => readDocuments(text)).toThrow(/stands inside what it names/);
    expect(() => readFirstDocument(`config:\n  - ${text}`)).toThrow(
      expect.objectContaining({ line: 2 }) as Error,
    );
  },
);

test("a key that is no text is refused, and quietly", () => {
  const warned = jest.spyOn(process, "emitWarning");
  expect(() => readDocuments("? [a, b]\n: c")).toThrow(new YamlError("a key must be a text", 1));
  expect(warned).not.toHaveBeenCalled();
});
