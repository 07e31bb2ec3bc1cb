import { asYaml, faultsOf, resolved, testdata } from "./support";

const embedded = (text: string) => asYaml({ customization: { embeddedMachineConfiguration: text } });
const arg = (value: string) => asYaml({ customization: { extraKernelArgs: ["quiet", value] } });
const meta = (value: string) => asYaml({ customization: { meta: [{ key: 1, value }] } });
const option = (value: string) => asYaml({ overlay: { name: "x", options: { list: [value] } } });

const rows: [name: string, input: string, key: string][] = [
  ["a tab first, embedded", embedded("\ta\nb"), "customization.embeddedMachineConfiguration"],
  ["a tab first, list", arg("\ta\nb"), "customization.extraKernelArgs[1]"],
  ["a space first, list", arg(" a\nb"), "customization.extraKernelArgs[1]"],
  ["a space first, meta", meta(" a\nb"), "customization.meta[0].value"],
  ["a space first, options", option(" a\nb"), "overlay.options.list[0]"],
  ["breaks, then a space, embedded", embedded("\n\n a\nb"), "customization.embeddedMachineConfiguration"],
  ["breaks, then a tab, embedded", embedded("\n\ta\nb"), "customization.embeddedMachineConfiguration"],
  ["breaks, then a space, meta", meta("\n a"), "customization.meta[0].value"],
  ["a break first, list", arg("\na"), "customization.extraKernelArgs[1]"],
  ["a break first, meta", meta("\na"), "customization.meta[0].value"],
];

test.each(rows)("%s", (_, input, key) => {
  expect(faultsOf(input)).toEqual([
    {
      key: `schematic.${key}`,
      value: expect.any(String) as string,
      rule: "text of several lines must not start with white space: the factory would store it unreadable",
      repair: "remove the white space before the first word",
    },
  ]);
});

test.each([
  ["spaces first, embedded", embedded("  a\nb\n")],
  ["a tab first on one line", arg("\ta")],
  ["a space first on one line", meta(" a")],
  ["white space inside", arg("a\n\tb\n c")],
])("%s is no poison", (_, input) => {
  expect(faultsOf(input)).toEqual([]);
});

test("an embedded config with an empty first line is fine, but its id is not certain", () => {
  expect(resolved(embedded("\na: 1\n")).certain).toBe(false);
});

test("the machine config, which may hold secrets, is not shown", () => {
  expect(JSON.stringify(faultsOf(embedded("\ttoken: hunter2\nb")))).not.toContain("hunter2");
});

test("what the libraries could not read back is refused (golden data)", () => {
  const lines = testdata("golden.jsonl").trim().split("\n");
  const unreadable = lines
    .map((line) => JSON.parse(line) as { in: string; unreadable: string[] })
    .filter((golden) => golden.unreadable.includes("D4"));
  expect(unreadable.length).toBeGreaterThan(5);
  expect(unreadable.filter((golden) => faultsOf(golden.in).length === 0)).toEqual([]);
});
