import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { runPulumiOnce } from "../../session/pulumi-run";

/** Does what the real Kubernetes plugin does, and says what it was given. */
const PULUMI = `#!/bin/sh
echo "$TMPDIR $PULUMI_K8S_CLIENT_TIMEOUT"
echo "a private key" > "$TMPDIR/kubeconfig12345"
[ "$1" != preview ] || exit 3
`;

describe("one run of pulumi", () => {
  let folder: string;
  let left: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tf-run-"));
    left = [];
    mkdirSync(join(folder, "tmp"));
    writeFileSync(join(folder, "pulumi"), PULUMI, { mode: 0o755 });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (verb: string) => {
    const place = { cwd: folder, env: { PATH: process.env["PATH"] ?? "" }, temp: join(folder, "tmp") };
    return runPulumiOnce({ command: join(folder, "pulumi"), args: [verb], ...place }, {}, left);
  };

  test.each(["preview", "up"])(
    "%s: has a TMPDIR of its own, which goes, also when the run fails",
    async (verb) => {
      const { stdout, code } = await run(verb);
      expect(code).toBe(verb === "preview" ? 3 : 0);
      expect(stdout).toMatch(new RegExp(`^${folder}/tmp/run-\\w+ `));
      expect(left).toEqual(["kubeconfig12345"]);
      expect(readdirSync(join(folder, "tmp"))).toEqual([]);
    },
  );

  test.each([
    ["preview", "2"],
    ["up", "120"],
    ["refresh", "120"],
    ["destroy", "120"],
  ])("%s: waits %s s for the Kubernetes API", async (verb, seconds) => {
    expect((await run(verb)).stdout.trim().split(" ").at(-1)).toBe(seconds);
  });
});
