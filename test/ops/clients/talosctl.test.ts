import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withTalosctl } from "../../../ops/clients/talosctl";

const target = { endpoints: ["127.0.0.1:1"], nodes: ["10.5.0.2"] };
const before = process.env["TALOSCTL"];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "talosctl-"));
});

afterEach(() => {
  if (before === undefined) delete process.env["TALOSCTL"];
  else process.env["TALOSCTL"] = before;
  rmSync(folder, { recursive: true, force: true });
});

test("an answer of a hundred nodes' configs is not taken for none", async () => {
  const binary = join(folder, "talosctl");
  writeFileSync(binary, "#!/bin/sh\nhead -c 3000000 /dev/zero | tr '\\0' x\n");
  chmodSync(binary, 0o755);
  process.env["TALOSCTL"] = binary;
  const { ok, stdout, stderr } = await withTalosctl("", (talosctl) =>
    talosctl.run(target, ["get", "machineconfig"]),
  );
  expect({ ok, length: stdout.length, stderr }).toEqual({ ok: true, length: 3_000_000, stderr: "" });
});
