/** What `make test` counts. Pure. */

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** What did not run; in CI each of these is a failure too. */
  readonly skipped: readonly string[];
}

/** What is read of jest's JSON report. */
export interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** As jest calls what it leaves out: `describe.skip` and `test.skip`, `test.todo`, and what another test excludes. */
const LEFT_OUT = new Set(["pending", "todo", "skipped", "disabled"]);

/** Jest's own counts; a suite that does not even load is one failure, and in CI a skipped test is one too. */
export function jestCounts(report: JestReport, isCI: boolean): Counts {
  const skipped = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => LEFT_OUT.has(status))
    .map(({ fullName }) => fullName);
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites + (isCI ? skipped.length : 0);
  return { passed: report.numPassedTests, failed, skipped };
}

/** A check that is one test. */
export const oneTest = (passes: boolean): Counts => ({
  passed: passes ? 1 : 0,
  failed: passes ? 0 : 1,
  skipped: [],
});

/** Nothing that a check that ended with an error says of itself makes it pass. */
export const atLeastFailed = (counts: Counts, code: number): Counts =>
  code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;

export const detail = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed, ${skipped.length} skipped`;

/** Each skipped test, how many they are, and as the last line the sum that `.ci/run` reads. */
export function summary(all: readonly Counts[], isCI: boolean): readonly string[] {
  const skipped = all.flatMap((one) => one.skipped);
  const sum = (pick: (one: Counts) => number): number => all.reduce((total, one) => total + pick(one), 0);
  return [
    ...skipped.map((name) => `skipped: ${name}`),
    `${skipped.length} skipped${isCI && skipped.length > 0 ? ", and in CI that is a failure" : ""}`,
    `${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed`,
  ];
}
