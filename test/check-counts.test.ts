/** What `make test` says of skipped tests, on the report of a real run of jest. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { atLeastFailed, jestCounts, oneTest, summary, type JestReport } from "./check-counts";

jest.setTimeout(120_000);

const root = resolve(__dirname, "..");
let folder: string;
let report: JestReport;

/** Without a tool: what needs it is skipped, as a whole and one by one. */
const tests = `
test("runs", () => undefined);
describe.skip("with a tool (skipped: not here)", () => {
  test("one", () => undefined);
  test("two", () => undefined);
});
test.skip("three", () => undefined);
test.todo("four");
`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tf-counts-"));
  writeFileSync(join(folder, "jest.config.json"), "{}");
  writeFileSync(join(folder, "some.test.js"), tests);
  const file = join(folder, "report.json");
  const script = join(root, "node_modules/jest/bin/jest.js");
  const args = [script, "--rootDir", folder, "--config", join(folder, "jest.config.json"), "--json"];
  spawnSync(process.execPath, [...args, "--outputFile", file], { cwd: folder, stdio: "ignore" });
  report = JSON.parse(readFileSync(file, "utf8")) as JestReport;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tool = "with a tool (skipped: not here)";
const names = [`${tool} one`, `${tool} two`, "three", "four"];

test("what is skipped is told, and is no failure where a tool may be missing", () => {
  const counts = jestCounts(report, false);
  expect(counts).toEqual({ passed: 1, failed: 0, skipped: names });
  expect(summary([counts, oneTest(true)], false)).toEqual([
    ...names.map((name) => `skipped: ${name}`),
    "4 skipped",
    "2 passed, 0 failed",
  ]);
});

test("in CI every skipped test is a failure", () => {
  const counts = jestCounts(report, true);
  expect(counts).toEqual({ passed: 1, failed: 4, skipped: names });
  expect(summary([counts], true).slice(-2)).toEqual([
    "4 skipped, and in CI that is a failure",
    "1 passed, 4 failed",
  ]);
});

test("that nothing was skipped is told too, and the last line is the one that CI reads", () => {
  expect(summary([oneTest(true), oneTest(false)], true)).toEqual(["0 skipped", "1 passed, 1 failed"]);
});

test("a suite that does not load is a failure, and so is an exit code that nothing explains", () => {
  expect(jestCounts({ ...report, numRuntimeErrorTestSuites: 1 }, false).failed).toBe(1);
  expect(atLeastFailed(jestCounts(report, false), 1).failed).toBe(1);
  expect(atLeastFailed(jestCounts(report, true), 1).failed).toBe(4);
});
