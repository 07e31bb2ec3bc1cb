import { formatFault, formatNote, jsonFaults, ConfigError } from "../../base/faults";
import { jsonText, printable, printableLines, show, veiled } from "../../base/show";

test.each([
  ["\u001b[31mred", "\\u001b[31mred"],
  ["\u009b31mred", "\\u009b31mred"],
  ["a\u202eb", "a\\u202eb"],
  ["plain, ümläut and 漢", "plain, ümläut and 漢"],
])("%j is printed as %s", (text, printed) => {
  expect(printable(text)).toBe(printed);
});

test("lines stay lines", () => {
  expect(printableLines("a\n\u0007b\n")).toBe("a\n\\u0007b\n");
});

test("no part of a fault or a note reaches the terminal raw", () => {
  const part = "\u001b]0;x\u0007";
  const fault = { key: part, value: part, rule: part, repair: part };

  expect(formatFault(fault) + formatNote({ key: part, value: part, note: part })).not.toMatch(
    /[\u001b\u0007]/,
  );
  expect(new ConfigError([fault]).message).not.toMatch(/[\u001b\u0007]/);
  expect(jsonFaults(new ConfigError([{ ...fault, value: "\u009b" }]))).not.toMatch(/[\u001b\u0007\u009b]/);
});

test("JSON stays the same JSON", () => {
  const value = { a: "\u009b\u001b", b: ["x\ny"] };

  expect(JSON.parse(jsonText(value))).toEqual(value);
});

test.each([
  [undefined, "(not set)"],
  [null, "(empty)"],
  ["", '""'],
  [[1], "(a list)"],
  [{}, "(a mapping)"],
  [Number.NaN, "NaN"],
  [false, "false"],
  ["two\n  lines", "two lines"],
  ["\u001b", "\\u001b"],
  ["tcp://user:pw@host", "(value not shown)"],
  ["tcp://user:p/w@host", "(value not shown)"],
  ["siderolink.api=https://x?jointoken=abc", "(value not shown)"],
  ["jointoken=abc", "(value not shown)"],
  ["tcp://x y?key=abc", "(value not shown)"],
  ["user:pw@host", "(value not shown)"],
  ["ghcr.io/siderolabs/talos:v1.13.10@sha256:abc", "ghcr.io/siderolabs/talos:v1.13.10@sha256:abc"],
  ["https://factory.example.net", "https://factory.example.net"],
])("%j is shown as %s", (value, shown) => {
  expect(show(value)).toBe(shown);
});

test.each([
  ["engine tcp://u:pw@host:1?a=pw is down", "engine tcp://(not shown)@host:1?(not shown) is down"],
  ["ssh://root:pw@host", "ssh://root:(not shown)@host"],
  ["write tcp://host:2376 or ssh://user@host", "write tcp://host:2376 or ssh://user@host"],
  ["user:pw@host, x?key=pw", "(not shown)@host, x?(not shown)"],
  ["jointoken=pw and `token: is missing`", "jointoken=(not shown) and `token: is missing`"],
  ["talos:v1.13.10@sha256:abc? what = that", "talos:v1.13.10@sha256:abc? what = that"],
])("the line %j is told as %s", (line, told) => {
  expect(veiled(line)).toBe(told);
});
