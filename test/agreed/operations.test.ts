/** What goes in on standard input is checked on both sides: by the compiler where it is written, by zod where it is read. */
import { operations } from "../../agreed/operations";

test("every call has words of its own, and takes no field that it does not know", () => {
  const words = Object.values(operations).map((call) => call.words);
  expect(new Set(words).size).toBe(words.length);
  for (const { input, words: name } of Object.values(operations)) {
    const result = input.safeParse({ misspelt: 1 });
    const issues = result.success ? [] : result.error.issues;
    expect([name, issues.some(({ code }) => code === "unrecognized_keys")]).toEqual([name, true]);
  }
});

test("a misspelt field is a type error in the component that calls", async () => {
  const { operation } = await import("../../components/operation");
  const call = { onCreate: operations.registerSchematic };
  const misspelt = () => {
    // @ts-expect-error: the schema has `factoryUrl`, and no `factoryURL`.
    operation("x", { ...call, input: { factoryURL: "", id: "", text: "" } }, {});
  };
  expect(misspelt).toBeInstanceOf(Function);
});
