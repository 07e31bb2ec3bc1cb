import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProcess } from "../processes";

const dir = mkdtempSync(join(tmpdir(), "processes-"));
const logFile = join(dir, "logs", "out.log");
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const shell = (script: string, more: object = {}) =>
  startProcess({ command: "/bin/sh", args: ["-c", script], logFile, ...more });

const logged = async (text: string): Promise<void> => {
  for (let tries = 0; tries < 200 && !readFileSync(logFile, "utf8").includes(text); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(readFileSync(logFile, "utf8")).toContain(text);
};

it("writes both outputs to a private file and tells how the process ended", async () => {
  const running = shell('echo "out $WORD"; echo err >&2; exit 3', { env: { WORD: "hello" } });
  expect(await running.exited).toEqual({ code: 3, signal: null });
  expect(readFileSync(logFile, "utf8")).toBe("out hello\nerr\n");
  expect(statSync(logFile).mode & 0o777).toBe(0o600);
});

it("kills a process that does not go when asked", async () => {
  const running = shell('trap "" TERM; echo stubborn; while :; do sleep 0.05; done', { graceMs: 100 });
  await logged("stubborn");
  await running.stop();
  expect(await running.exited).toEqual({ code: null, signal: "SIGKILL" });
  await running.stop();
});

it("says that an executable cannot be started", () => {
  expect(() => startProcess({ command: join(dir, "none"), args: [], logFile })).toThrow(
    /cannot start .*none/,
  );
});
