/**
 * `npx tsx bench/preview.ts [ROUNDS] [--json]`: the preview of the seventeen servers against that of an empty Pulumi program, in
 * turn, on Pulumi's real engine. Exit code 1: the ratio of the medians is above 2.
 */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import Table from "cli-table3";

import { servePlugins } from "../rehearsal/plugins/framework/serve";
import { openSession } from "../rehearsal/session";
import type { Session } from "../rehearsal/session";
import { provideTools } from "../rehearsal/tools";
import { interleaved, median } from "./statistics";

const root = resolve(__dirname, "..");
const json = process.argv.includes("--json");
const rounds = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? "7");
const LIMIT = 2;

const note = (line: string): void => void process.stderr.write(`${line}\n`);

/** Plain JavaScript that makes nothing: the least that a preview can cost. */
function emptyProgram(): string {
  const folder = mkdtempSync(join(tmpdir(), "tf-empty-"));
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "empty", runtime: "nodejs" }));
  writeFileSync(join(folder, "Pulumi.hetzner.yaml"), JSON.stringify({ config: {} }));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "empty", main: "index.js" }));
  writeFileSync(join(folder, "index.js"), "");
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

const emptyWorld = async () => ({
  overrides: {},
  secrets: {},
  servePlugins: async () => servePlugins([]),
  leftovers: () => [],
  stop: async () => undefined,
});

const preview = (session: Session) => async (): Promise<void> => {
  const { code, stdout, stderr } = await session.preview();
  if (code !== 0) throw new Error(`preview failed:\n${stdout}${stderr}`);
};

function report(times: Readonly<Record<string, readonly number[]>>, ratio: number): void {
  const medians = Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
  if (json) {
    process.stdout.write(`${JSON.stringify({ rounds, seconds: medians, ratio, limit: LIMIT, times })}\n`);
    return;
  }
  const table = new Table({
    head: ["preview", "median s", "best s", "worst s"],
    style: { head: [], border: [] },
  });
  for (const [name, values] of Object.entries(times)) {
    table.push([
      name,
      ...[median(values), Math.min(...values), Math.max(...values)].map((value) => value.toFixed(2)),
    ]);
  }
  process.stdout.write(
    `${table.toString()}\nratio of the medians: ${ratio.toFixed(2)} (limit ${LIMIT}), ${rounds} rounds in turn\n`,
  );
}

async function main(): Promise<void> {
  const tools = await provideTools(root, note);
  const folder = emptyProgram();
  const empty = await openSession({ stack: "hetzner", root: folder, tools }, emptyWorld);
  const fleet = await openSession({ stack: "hetzner", root, tools });
  try {
    const cases = { "empty program": preview(empty), "17 servers": preview(fleet) };
    await interleaved(cases, 1);
    const times = await interleaved(cases, rounds);
    const ratio = median(times["17 servers"] ?? []) / median(times["empty program"] ?? []);
    report(times, ratio);
    if (ratio > LIMIT) process.exitCode = 1;
  } finally {
    await fleet.close();
    await empty.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  note(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
