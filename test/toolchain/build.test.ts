import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ensureBuilt } from "../../toolchain/build";
import { cacheRoot, dropUnused } from "../../toolchain/cache";
import type { BuildContext, GoRecipe } from "../../toolchain/types";

/** Counts its builds in `builds`, fails when the file `broken` exists, writes what it was asked into the output. */
const FAKE_GO = `#!/bin/sh
here=$(dirname "$0")
if [ "$1" = env ]; then cat "$here/version"; exit 0; fi
echo build >> "$here/builds"
sleep 0.2
if [ -e "$here/broken" ]; then echo "some.go:1: it is broken" >&2; exit 1; fi
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\\necho built\\n' > "$2"
chmod +x "$2"
`;

describe("ensureBuilt", () => {
  let folder: string;
  let context: BuildContext;
  let recipe: GoRecipe;
  let said: string[];

  const builds = (): number =>
    existsSync(join(folder, "builds"))
      ? readFileSync(join(folder, "builds"), "utf8").trim().split("\n").length
      : 0;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tf-tools-"));
    mkdirSync(join(folder, "module"));
    writeFileSync(join(folder, "module/go.mod"), "module x\n");
    writeFileSync(join(folder, "go"), FAKE_GO);
    chmodSync(join(folder, "go"), 0o755);
    writeFileSync(join(folder, "version"), "go1.26.0\n");
    said = [];
    context = { cache: join(folder, "cache"), go: join(folder, "go"), log: (line) => said.push(line) };
    recipe = {
      tool: "thing",
      version: "v1",
      module: join(folder, "module"),
      package: "example.org/thing",
      flags: [],
      firstBuild: "about 3 minutes",
    };
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("builds once, says so, and takes the cached one afterwards", async () => {
    const first = await ensureBuilt(recipe, context);
    expect(readFileSync(first.path, "utf8")).toContain("echo built");
    expect(said[0]).toBe("building thing v1 from its published module (first time: about 3 minutes) ...");
    said.length = 0;
    expect(await ensureBuilt(recipe, context)).toEqual(first);
    expect(builds()).toBe(1);
    expect(said).toEqual([]);
  });

  test.each([
    ["a changed go.mod", () => writeFileSync(join(folder, "module/go.mod"), "module y\n")],
    ["a new source file", () => writeFileSync(join(folder, "module/new.go"), "package x\n")],
    ["another compiler", () => writeFileSync(join(folder, "version"), "go1.27.0\n")],
  ])("%s is built anew", async (_what, change) => {
    const before = await ensureBuilt(recipe, context);
    change();
    const after = await ensureBuilt(recipe, context);
    expect(after.path).not.toBe(before.path);
    expect(builds()).toBe(2);
  });

  test("other flags are built anew, a changed test of the module is not", async () => {
    const before = await ensureBuilt(recipe, context);
    writeFileSync(join(folder, "module/x_test.go"), "package x\n");
    expect((await ensureBuilt(recipe, context)).path).toBe(before.path);
    expect((await ensureBuilt({ ...recipe, flags: ["-race"] }, context)).path).not.toBe(before.path);
  });

  test("two at once give the same whole executable and build once", async () => {
    const [one, other] = await Promise.all([ensureBuilt(recipe, context), ensureBuilt(recipe, context)]);
    expect(one).toEqual(other);
    expect(builds()).toBe(1);
  });

  test("a failed build leaves nothing, shows the compiler's words, and can be tried again", async () => {
    writeFileSync(join(folder, "broken"), "");
    await expect(ensureBuilt(recipe, context)).rejects.toThrow("some.go:1: it is broken");
    expect(readdirSync(context.cache)).toEqual([]);
    rmSync(join(folder, "broken"));
    expect(existsSync((await ensureBuilt(recipe, context)).path)).toBe(true);
  });

  test("a lock whose owner is dead does not hold anybody up", async () => {
    const { path } = await ensureBuilt(recipe, context);
    rmSync(join(path, ".."), { recursive: true });
    writeFileSync(`${join(path, "..")}.lock`, "999999999");
    await ensureBuilt(recipe, context);
    expect(builds()).toBe(2);
  });

  test("a missing go command says what to install", async () => {
    await expect(ensureBuilt(recipe, { ...context, go: "/nonexistent/go" })).rejects.toThrow(
      /Go 1\.26.*https:\/\/go\.dev\/dl/,
    );
  });
});

test("builds that nothing has used for two weeks go, others stay", () => {
  const cache = mkdtempSync(join(tmpdir(), "tf-cache-"));
  const old = new Date(Date.now() - 15 * 24 * 3600 * 1000);
  for (const name of ["thing-old", "thing-new", "other-old"]) mkdirSync(join(cache, name));
  for (const name of ["thing-old", "other-old"]) utimesSync(join(cache, name), old, old);
  dropUnused(cache, "thing");
  expect(readdirSync(cache).sort()).toEqual(["other-old", "thing-new"]);
  rmSync(cache, { recursive: true });
});

test("the cache is in XDG_CACHE_HOME where that is set", () => {
  expect(cacheRoot({ XDG_CACHE_HOME: "/x" })).toBe("/x/talos-fleet");
  expect(cacheRoot({})).toMatch(/\.cache\/talos-fleet$/);
});
