import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { runPulumiOnce } from "../../session/pulumi-run";

/** Does what the real Kubernetes plugin does, and says what it was given. */
const PULUMI = `#!/bin/sh
echo "$TMPDIR $PULUMI_K8S_CLIENT_TIMEOUT"
echo "a private key" > "$TMPDIR/kubeconfig12345"
`;

describe("one run of pulumi", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tf-run-"));
    mkdirSync(join(folder, "tmp"));
    writeFileSync(join(folder, "pulumi"), PULUMI, { mode: 0o755 });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (verb: string) => {
    const place = { cwd: folder, env: { PATH: process.env["PATH"] ?? "" }, temp: join(folder, "tmp") };
    return runPulumiOnce({ command: join(folder, "pulumi"), args: [verb], ...place }, {});
  };

  test("its TMPDIR is the session's, and what it leaves there is for the session to look at", async () => {
    const { stdout } = await run("up");
    expect(stdout).toMatch(new RegExp(`^${folder}/tmp `));
    expect(readdirSync(join(folder, "tmp"))).toEqual(["kubeconfig12345"]);
  });

  test.each([
    ["preview", "2"],
    ["up", "120"],
    ["refresh", "120"],
    ["destroy", "120"],
  ])("%s: waits %s s for the Kubernetes API", async (verb, seconds) => {
    expect((await run(verb)).stdout.trim().split(" ").at(-1)).toBe(seconds);
  });
});
