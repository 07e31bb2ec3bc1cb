import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { memoryOf } from "./unchanged";

let root: string;
const memory = () => memoryOf(root, join(root, "kept", "check"), [".ts", "lock.json"]);
const write = (name: string, text: string): void => writeFileSync(join(root, name), text);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "tf-unchanged-"));
  execFileSync("git", ["init", "-q"], { cwd: root });
  write("a.ts", "1");
  write("lock.json", "1");
  write("other.md", "1");
});
afterEach(() => rmSync(root, { recursive: true }));

test("nothing has passed before the first time; the same files have afterwards, and again when they are put back", () => {
  expect(memory().passed()).toBe(false);
  memory().keep();
  expect(memory().passed()).toBe(true);

  write("a.ts", "2");
  expect(memory().passed()).toBe(false);
  write("a.ts", "1");
  expect(memory().passed()).toBe(true);
});

test.each([
  ["a new file", () => write("b.ts", "1")],
  ["another lock file", () => write("lock.json", "2")],
  ["a file that is gone", () => rmSync(join(root, "a.ts"))],
  ["another name", () => execFileSync("mv", ["a.ts", "c.ts"], { cwd: root })],
])("%s is another state", (_, change) => {
  memory().keep();
  change();
  expect(memory().passed()).toBe(false);
});

test("a file that the check does not read changes nothing", () => {
  memory().keep();
  write("other.md", "2");
  expect(memory().passed()).toBe(true);
});

test("what is edited while the check runs was not judged", () => {
  const running = memory();
  write("a.ts", "2");
  running.keep();
  expect(memory().passed()).toBe(false);
});

test("without git nothing is remembered", () => {
  rmSync(join(root, ".git"), { recursive: true });
  memory().keep();
  expect(memory().passed()).toBe(false);
});
