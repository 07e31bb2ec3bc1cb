import { allDialects, argAs } from "./support";

const double = (value: string) => `"${value}"`;
const single = (value: string) => `'${value}'`;

function everywhere(value: string): string {
  const forms = new Set(allDialects.map((dialect) => argAs(value, dialect)));
  return [...forms].join(" or ");
}

test.each([
  "",
  "~",
  "null",
  "Null",
  "NULL",
  "true",
  "True",
  "TRUE",
  "false",
  "False",
  "FALSE",
  ".nan",
  ".NaN",
  ".NAN",
  ".inf",
  "+.Inf",
  "-.INF",
  ".5",
  ".5e3",
  ".5_0",
  "2001-01-01",
  "2001-1-1",
  "2000-02-29",
  "2001-01-01T00:00:00Z",
  "2001-01-01t1:2:3.5+01:00",
  "2001-01-01 1:2:3",
  "2001-01-01  1:2:3",
  "0",
  "-1",
  "+1",
  "08",
  "0x1F",
  "0X1f",
  "0b11",
  "0o17",
  "017",
  "1_000",
  "1.",
  "1.5",
  "1e5",
  "1e-400",
  "18446744073709551615",
  "-9223372036854775808",
  "99999999999999999999",
])("%j reads as something else and is double quoted", (value) => {
  expect(everywhere(value)).toBe(double(value));
});

test.each([
  "1.2.3",
  "1-2",
  "NaN",
  "inf",
  "0x",
  "0xg",
  "tRue",
  "1e400",
  "2001-13-45",
  "1900-02-29",
  "2001-01-01 1:2:3 Z",
  "2001-01-01T24:00:00Z",
  "-console",
  "a:b",
  "a#b",
  "?a",
  ":a",
  "a, b",
  "a{",
  "\\",
  'a"b',
  "it's",
  "é",
  "日本",
  "._5",
  "siderolabs/iscsi-tools",
  "console=ttyS0,115200n8",
  "=",
  "_1",
  "a\u00a0b",
  "word ".repeat(60) + "end",
])("%j is plain", (value) => {
  expect(everywhere(value)).toBe(value);
});

test.each([
  "#a",
  ",a",
  "[a]",
  "{}",
  "&a",
  "*a",
  "!a",
  "|",
  ">a",
  '"q"',
  "%a",
  "@a",
  "`a`",
  "?",
  "? a",
  ":",
  ": a",
  "-",
  "- a",
  "---",
  "--- a",
  "...",
  "...a",
  "a: b",
  "a:",
  "ip=1::2:::off:::",
  "a #b",
  " a",
  "a ",
])("%j is single quoted", (value) => {
  expect(everywhere(value)).toBe(single(value));
});

test("a quote is doubled inside single quotes", () => {
  expect(everywhere("'a'")).toBe("'''a'''");
});

test.each([
  ["a\tb", '"a\\tb"'],
  ["a\u0001", '"a\\x01"'],
  ["\0\x07\b\v\f\r\x1b", '"\\0\\a\\b\\v\\f\\r\\e"'],
  ["\x7f", '"\\x7F"'],
  ["\x85", '"\\N"'],
  ["😀", '"\\U0001F600"'],
  ["a\ufeff", '"a\\uFEFF"'],
  ['😀"\\é\u00a0', '"\\U0001F600\\"\\\\é\u00a0"'],
  ["\ufeffa b\u00a0", '"\\uFEFF\\x61\\x20\\x62\\_"'],
  ["\ufffe", '"\\uFFFE"'],
])("%j is escaped", (value, form) => {
  expect(everywhere(value)).toBe(form);
});

describe("dialects differ", () => {
  const old = [
    "y",
    "Y",
    "yes",
    "Yes",
    "YES",
    "on",
    "On",
    "ON",
    "n",
    "N",
    "no",
    "No",
    "NO",
    "off",
    "Off",
    "OFF",
  ];
  const base60 = ["10:20", "1:30", "12:30:45", "190:20:30", "-1:30", "+1_0:20.5_"];

  test.each([...old, ...base60])("%s", (value) => {
    const [d1, d2, d3, d4, d5] = allDialects.map((dialect) => argAs(value, dialect));
    expect([d1, d2, d3, d5]).toEqual(Array(4).fill(double(value)));
    expect(d4).toBe(single(value));
  });

  test.each(["yEs", "oFF", "1:60", "a1:20"])("not %s", (value) => {
    expect(everywhere(value)).toBe(value);
  });

  test("<<", () => {
    expect(allDialects.map((dialect) => argAs("<<", dialect))).toEqual([
      "<<",
      '"<<"',
      '"<<"',
      "'<<'",
      '"<<"',
    ]);
  });

  test("0b+1", () => {
    expect(allDialects.map((dialect) => argAs("0b+1", dialect))).toEqual([
      '"0b+1"',
      "0b+1",
      "0b+1",
      "0b+1",
      "0b+1",
    ]);
  });
});
