/**
 * How long a process takes to load the modules of the program, by the way TypeScript is loaded.
 *
 *     npx tsx bench/loading.ts [ROUNDS]
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

import Table from "cli-table3";
import { buildSync } from "esbuild";

import { interleaved, median } from "./statistics";

const run = promisify(execFile);
const root = resolve(__dirname, "..");
const rounds = Number(process.argv[2] ?? "9");

/** What index.ts imports, without index.ts itself, which can only run under Pulumi. */
const sources = [...readFileSync(join(root, "index.ts"), "utf8").matchAll(/from "(\.\/[^"]+)"/g)].map(
  (match) => join(root, match[1] ?? ""),
);

const requireAll = (files: readonly string[]): string =>
  files.map((file) => `require(${JSON.stringify(file)});`).join("");

async function load(nodeArgs: readonly string[], files: readonly string[]): Promise<void> {
  await run(process.execPath, [...nodeArgs, "-e", requireAll(["@pulumi/pulumi", ...files])], { cwd: root });
}

/** One JavaScript file of our modules, as a build step before each release of the program would make it. */
function compiled(folder: string): string {
  const outfile = join(folder, "program.cjs");
  const contents = sources.map((file) => `export * from ${JSON.stringify(file)};`).join("\n");
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  buildSync({
    stdin: { contents, resolveDir: root, loader: "ts" },
    alias: { "@pulumiverse/talos": join(root, "sdks/talos/index.ts") },
    ...{ outfile, bundle: true, packages: "external", format: "cjs", platform: "node", target: "node20" },
  });
  return outfile;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tf-bench-"));
  const hook = (name: string): string[] => ["--require", join(__dirname, "loaders", `${name}.cjs`)];
  const precompiled = compiled(folder);
  try {
    const times = await interleaved(
      {
        "@pulumi/pulumi alone": async () => load([], []),
        "precompiled JavaScript": async () => load([], [precompiled]),
        "tsx/cjs": async () => load(["--require", "tsx/cjs"], sources),
        "bin/register.cjs (chosen)": async () => load(["--require", "./bin/register.cjs"], sources),
        "@swc/core hook": async () => load(hook("swc"), sources),
        "esbuild hook": async () => load(hook("esbuild"), sources),
        "typescript, transpile only": async () => load(hook("typescript"), sources),
      },
      rounds,
    );
    const table = new Table({ head: ["loader", "median s", "best s"], style: { head: [], border: [] } });
    for (const [name, values] of Object.entries(times)) {
      table.push([name, median(values).toFixed(2), Math.min(...values).toFixed(2)]);
    }
    process.stdout.write(`${rounds} rounds\n${table.toString()}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
