import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";

import { Command } from "commander";

import { register } from "../../../ops/check/command";
import { buildTimeMs, realTalosctl } from "./real-talosctl";

jest.setTimeout(60_000);

const folder = mkdtempSync(path.join(tmpdir(), "talos-fleet-"));
beforeAll(async () => {
  await realTalosctl();
}, buildTimeMs);
afterAll(() => rmSync(folder, { recursive: true }));

const head = [
  "config:",
  "  talos-fleet:platform: docker",
  "  talos-fleet:talosVersion: v1.13.10",
  "  talos-fleet:kubernetesVersion: 1.35.8",
  "  talos-fleet:talosContract: v1.13",
  "  talos-fleet:schematic: { customization: {} }",
  "  talos-fleet:controlPlanes: { count: 1 }",
];

async function check(
  patch: string,
  lines = head,
): Promise<{ printed: string; code: typeof process.exitCode }> {
  const file = path.join(folder, "Pulumi.some.yaml");
  writeFileSync(file, [...lines, `  talos-fleet:patches: { all: [x.yaml] }`].join("\n"));
  writeFileSync(path.join(folder, "x.yaml"), patch);
  const write = jest.spyOn(process.stdout, "write").mockReturnValue(true);
  const before = process.exitCode;
  process.exitCode = undefined;
  const program = new Command().exitOverride();
  register(program);
  try {
    await program.parseAsync(["check", file], { from: "user" });
    const printed = write.mock.calls.map(([text]) => String(text)).join("");
    return { printed: printed.replaceAll(`${folder}/`, ""), code: process.exitCode };
  } finally {
    process.exitCode = before;
    write.mockRestore();
  }
}

test("check says what Talos would refuse, and the answer is no", async () => {
  const watchdog = "apiVersion: v1alpha1\nkind: WatchdogTimerConfig\ndevice: /dev/watchdog0\ntimeout: 5s\n";

  expect(await check(watchdog)).toEqual({
    printed:
      "Pulumi.some.yaml: 1 fault\n  patches.all[0] (x.yaml): WatchdogTimerConfig: Talos refuses the config of " +
      "some-controlplane-1: watchdog timeout: minimum value is 10s; correct it as the message says\n",
    code: 1,
  });
  expect(await check(watchdog.replace("5s", "10s"))).toEqual({
    printed: "Pulumi.some.yaml: no fault\n",
    code: undefined,
  });
});

test("check says which values nobody could judge", async () => {
  const { printed } = await check("machine: { env: { a: (encrypted) } }\n");

  expect(printed).toContain("note: patches: (encrypted): encrypted values were not judged: `up` does it\n");
});

test("of a schematic in the stack file too", async () => {
  const inside = "customization: { extraKernelArgs: [{ secure: v1:abc }] }";
  const { printed } = await check(
    "machine: {}\n",
    head.map((line) => line.replace("customization: {}", inside)),
  );

  expect(printed).toContain("note: schematic: (encrypted): encrypted values were not judged: `up` does it\n");
});
