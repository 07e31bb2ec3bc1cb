/**
 * `make test` and `make test-long` (--long): all checks, two at a time. Prints each one's outcome, the output of those that
 * fail, what was skipped, and as its last line the sum: every static check counts as one test.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";

import { OTHER_NODES, provideNode } from "../toolchain/node";
import {
  atLeastFailed,
  detail,
  jestCounts,
  oneTest,
  summary,
  type Counts,
  type JestReport,
} from "./check-counts";
import { memoryOf } from "./unchanged";

interface Check {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Folders to put in front of PATH. */
  readonly path?: readonly string[];
  /** Endings of all files that it reads: outside CI it does not run again on files on which it passed. */
  readonly reads?: readonly string[];
  /** File of jest's JSON report; without one the check counts as one test. */
  readonly report?: string;
}

const root = resolve(__dirname, "..");
const node = join(root, "rehearsal/node");
const isCI = process.env["CI"] === "true";
const long = process.argv.includes("--long");
const scratch = mkdtempSync(join(tmpdir(), "tf-checks-"));
const GO = { CGO_ENABLED: "0", GOTOOLCHAIN: "local", GOWORK: "off" };

const npx = (name: string, args: readonly string[]): Check => ({
  name,
  command: "npx",
  args: ["--no-install", ...args],
});

const tools = npx("rehearsal tools", ["tsx", "rehearsal/main.ts", "tools"]);

/** Kept by content, so what they remember saves time and hides nothing. ESLint's own cache would hide what another file breaks. */
const kept = (name: string): string => join(root, "node_modules/.cache", name);
const byContent = ["--cache", "--cache-strategy", "content", "--cache-location", kept("prettier/checks")];
const sinceLast = ["--incremental", "--tsBuildInfoFile", kept("types.tsbuildinfo")];

const fixed: readonly Check[] = [
  npx("prettier", ["prettier", "--check", "--log-level", "warn", ...byContent, "."]),
  npx("types", ["tsc", "--noEmit", ...sinceLast]),
  { ...npx("eslint", ["eslint", "."]), reads: [".ts", "tsconfig.json", "package.json", "package-lock.json"] },
  npx("unused code (knip)", ["knip"]),
  { name: "go vet", command: "go", args: ["vet", "./..."], cwd: node },
  { name: "go test", command: "go", args: ["test", "./..."], cwd: node },
];

function jest(name: string, args: readonly string[]): Check {
  const report = join(scratch, `${name.replaceAll(/\W+/g, "-")}.json`);
  return { ...npx(name, ["jest", "--json", "--outputFile", report, ...args]), report };
}

const QUICK = ["test/config", "test/factory", "test/components", "test/program", "test/engine/preview"];

/** The program's quick tests and a preview of each stack, jest and `node` on PATH being that release. */
async function onNode(version: string): Promise<Check> {
  const { path: command } = await provideNode(version, (line) => void process.stdout.write(`${line}\n`));
  const check = jest(`jest on Node ${version}`, QUICK);
  const script = join(root, "node_modules/jest/bin/jest.js");
  return { ...check, command, args: [script, ...check.args.slice(2)], path: [dirname(command)] };
}

function run(check: Check): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    const child = spawn(check.command, [...check.args], {
      cwd: check.cwd ?? root,
      env: {
        ...process.env,
        ...GO,
        PATH: [...(check.path ?? []), process.env["PATH"] ?? ""].join(delimiter),
      },
      stdio: ["ignore", check.report === undefined ? "pipe" : "ignore", "pipe"],
    });
    const chunks: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
    const finish = (code: number): void => done({ code, output: Buffer.concat(chunks).toString("utf8") });
    child.on("error", (error) => {
      chunks.push(Buffer.from(`${error.message}\n`));
      finish(127);
    });
    child.on("close", (code) => finish(code ?? 1));
  });
}

function countsOf(check: Check, code: number): Counts {
  if (check.report === undefined) return oneTest(code === 0);
  try {
    const report = JSON.parse(readFileSync(check.report, "utf8")) as JestReport;
    return atLeastFailed(jestCounts(report, isCI), code);
  } catch {
    return oneTest(false);
  }
}

async function perform(check: Check): Promise<Counts> {
  const memory =
    check.reads === undefined || isCI ? undefined : memoryOf(root, kept(`passed-${check.name}`), check.reads);
  if (memory?.passed() === true) {
    process.stdout.write(`ok     ${check.name} (0 s, passed before on the same files)\n`);
    return oneTest(true);
  }
  const started = performance.now();
  const { code, output } = await run(check);
  const counts = countsOf(check, code);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const more = check.report === undefined ? "" : `, ${detail(counts)}`;
  process.stdout.write(`${counts.failed === 0 ? "ok    " : "FAILED"} ${check.name} (${seconds} s${more})\n`);
  if (counts.failed > 0) process.stdout.write(`${output.trimEnd()}\n`);
  else memory?.keep();
  return counts;
}

async function inTurn(checks: readonly Check[]): Promise<readonly Counts[]> {
  const all: Counts[] = [];
  for (const check of checks) all.push(await perform(check));
  return all;
}

async function main(): Promise<void> {
  const ready = await perform(tools);
  const lanes = long
    ? [
        inTurn([
          jest("jest test/long", ["--testPathPatterns", "test/long", "--runInBand"]),
          ...(await Promise.all(OTHER_NODES.map(onNode))),
        ]),
      ]
    : [
        inTurn([
          jest("jest", ["--testPathIgnorePatterns", "/node_modules/", "test/long", "--maxWorkers", "2"]),
        ]),
        inTurn(fixed),
      ];
  const counts = [ready, ...(await Promise.all(lanes)).flat()];
  process.stdout.write(`${summary(counts, isCI).join("\n")}\n`);
  process.exitCode = counts.every(({ failed }) => failed === 0) ? 0 : 1;
}

main()
  .catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  })
  .finally(() => rmSync(scratch, { recursive: true, force: true }));
