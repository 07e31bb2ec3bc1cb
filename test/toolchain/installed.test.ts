import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { installedPulumi, suitsPulumi, suitsTalosctl } from "../../toolchain/installed";

test.each([
  ["v3.248.0", true],
  ["v3.259.1", true],
  ["v3.247.9", false],
  ["v4.0.0", false],
  ["", false],
])("pulumi %s suits: %s", (version, suits) => expect(suitsPulumi(version)).toBe(suits));

test.each([
  ["Talos v1.13.9", true],
  ["Talos v1.13.12", true],
  ["Talos v1.13.8", false],
  ["Talos v1.14.0", false],
])("talosctl %s suits: %s", (version, suits) => expect(suitsTalosctl(version)).toBe(suits));

test("a pulumi on PATH is taken only with its own language host beside it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tf-path-"));
  const executable = (name: string, text: string): void => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  executable("pulumi", "echo v3.250.0");
  expect(await installedPulumi(folder)).toBeUndefined();
  executable("pulumi-language-nodejs", "");
  expect(await installedPulumi(folder)).toMatchObject({
    path: join(folder, "pulumi"),
    version: "v3.250.0",
    origin: "installed",
  });
  executable("language-host.cjs", "");
  expect(await installedPulumi(folder)).toBeUndefined();
  rmSync(folder, { recursive: true });
});
