/** What Pulumi loads and this program never uses stays on disk until somebody asks for it, and works then. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const root = join(__dirname, "../..");
const SUSPECTS = ["typescript", "@npmcli/arborist"];

/** Which of the suspects are in memory before and after `code`, which may use `pulumi` and must end with a text. */
function loadedAround(code: string): { readonly before: string[]; readonly after: string[]; said: string } {
  const script = `
    const pulumi = require("@pulumi/pulumi");
    const loaded = () => ${JSON.stringify(SUSPECTS)}.filter((name) =>
      Object.keys(require.cache).some((file) => file.includes("/node_modules/" + name + "/")));
    const before = loaded();
    (async () => { ${code} })().then((said) =>
      process.stdout.write(JSON.stringify({ before, said, after: loaded() })));`;
  const args = ["--require", join(root, "bin/register.cjs"), "-e", script];
  const answer = execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  return JSON.parse(answer) as ReturnType<typeof loadedAround>;
}

test("Pulumi's SDK comes without a compiler and without npm's tree reader", () => {
  expect(loadedAround(`return ""`)).toEqual({ before: [], said: "", after: [] });
});

test("a function that is serialized brings the compiler, and is serialized as ever", () => {
  const { before, after, said } = loadedAround(
    "const two = 2; return (await pulumi.runtime.serializeFunction((x) => x + two)).text;",
  );

  expect(before).toEqual([]);
  expect(after).toContain("typescript");
  expect(said).toContain("two: 2");
  expect(said).toContain("x + two");
});

test("whoever else asks for them gets them at once", () => {
  const { after, said } = loadedAround(`return require("typescript").version;`);

  expect(after).toEqual(["typescript"]);
  expect(said).toMatch(/^\d+\.\d+/);
});
