import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";

import { OTHER_NODES } from "../../toolchain/node";

const checkout = resolve(__dirname, "../..");
const read = (file: string): string => readFileSync(join(checkout, file), "utf8");
const majors = OTHER_NODES.map((version) => Number(version.split(".")[0]));

test("Node 20, 22 and 24 are the tested ones: package.json and README say the same", () => {
  expect(majors).toEqual([22, 24]);
  const { engines } = JSON.parse(read("package.json")) as { engines: { node: string } };
  expect(engines.node).toMatch(/^\^20\.20\.0 \|\| \^22\.\d+\.\d+ \|\| >=24\.0\.0$/);
  expect(read("README.md")).toContain("Node 20.20, 22 or 24");
});

describe("doctor", () => {
  const said = (version: string): string => {
    const folder = mkdtempSync(join(tmpdir(), "tf-node-"));
    writeFileSync(join(folder, "node"), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: [folder, process.env["PATH"] ?? ""].join(delimiter) };
    try {
      return execFileSync("bash", ["-c", "bin/doctor || true"], { cwd: checkout, env, encoding: "utf8" });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  test.each(["v20.20.2", ...OTHER_NODES.map((version) => `v${version}`)])("takes %s", (version) => {
    expect(said(version)).toMatch(new RegExp(`^  ok +node +${version} +demo, test$`, "m"));
  });

  test.each(["v23.1.0", "v26.12.1"])("says that %s is not tested", (version) => {
    expect(said(version)).toMatch(new RegExp(`^  ok +node +${version} \\(not tested\\) +demo`, "m"));
  });

  test.each(["v18.19.0", "v20.9.0"])("names the tested ones for %s", (version) => {
    expect(said(version)).toMatch(/^ {2}missing +node +demo, test: Node 20\.20, 22 or 24/m);
  });
});
