import { exitCode, NotTried, type Outcome, runSteps, type Step, summary } from "./report";

const step = (name: string, run: () => Promise<string>, ...after: string[]): Step => ({ name, after, run });

async function played(...steps: Step[]): Promise<{ outcomes: Outcome[]; said: string[] }> {
  const said: string[] = [];
  let time = 0;
  const now = () => (time += 31_000);
  return { outcomes: await runSteps(steps, { say: (line) => said.push(line), now }), said };
}

const good = () => Promise.resolve("all well");

test("each step is told as it begins and ends, with the time since the beginning", async () => {
  const { said, outcomes } = await played(step("up", good));
  expect(said).toEqual(["[  0:31] up ...", "[  1:02] passed: up: all well"]);
  expect(outcomes).toEqual([{ name: "up", result: "passed", seen: "all well", seconds: 31 }]);
});

test("a failure takes along those that need it, and no other", async () => {
  const { outcomes } = await played(
    step("preflight", good),
    step("up", () => Promise.reject(new Error("no\nmore")), "preflight"),
    step("verify", good, "up"),
    step("live patch", good, "verify"),
    step("down", good),
  );
  expect(outcomes.map(({ name, result, seen }) => `${name}: ${result}: ${seen}`)).toEqual([
    "preflight: passed: all well",
    "up: FAILED: no\nmore",
    'verify: not tried: because "up" did not pass',
    'live patch: not tried: because "verify" did not pass',
    "down: passed: all well",
  ]);
  expect(exitCode(outcomes)).toBe(1);
  expect(summary(outcomes).split("\n").slice(-3)).toEqual([
    'not tried: verify, because "up" did not pass',
    'not tried: live patch, because "verify" did not pass',
    "2 passed, 1 failed, 2 not tried",
  ]);
});

test("what cannot be tried is neither passed nor failed", async () => {
  const restart = () => Promise.reject(new NotTried("because nobody may"));
  const { outcomes } = await played(step("restart", restart), step("after it", good, "restart"));
  expect(outcomes.map(({ result }) => result)).toEqual(["not tried", "not tried"]);
  expect(exitCode(outcomes)).toBe(0);
  expect(summary(outcomes)).toContain("not tried: restart, because nobody may");
  expect(summary(outcomes)).toContain("0 passed, 0 failed, 2 not tried");
});
