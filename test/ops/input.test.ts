import { Readable } from "node:stream";
import { z } from "zod";
import { readInput } from "../../ops/lib/input";

const real = Object.getOwnPropertyDescriptor(process, "stdin");

afterEach(() => {
  if (real !== undefined) Object.defineProperty(process, "stdin", real);
});

const given = (text: string) => {
  Object.defineProperty(process, "stdin", { value: Readable.from([text]), configurable: true });
};

const message = async (): Promise<string> =>
  readInput(z.object({ talosconfig: z.string() })).then(String, (error: unknown) => String(error));

test("input that is cut off is refused without a word of it", async () => {
  for (const text of ['{"talosconfig": "canary', "canary", '{"talosconfig": canary}']) {
    given(text);
    expect(await message()).toContain("standard input: is not JSON");
    given(text);
    expect(await message()).not.toContain("canary");
  }
});

test("a missing field is named, a wrong one is not shown", async () => {
  given('{"talosconfig": ["canary"]}');
  const text = await message();
  expect(text).toContain("standard input: talosconfig: ");
  expect(text).not.toContain("canary");
});
