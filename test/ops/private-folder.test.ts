import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { privateFile, withPrivateFolder } from "../../ops/lib/private-folder";

const root = join(__dirname, "../..");

test("a private folder is for nobody else, and gone afterwards", async () => {
  let kept = "";
  await withPrivateFolder(async (folder) => {
    kept = folder;
    const file = await privateFile(folder, "talosconfig", "canary");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
  expect(existsSync(kept)).toBe(false);
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "it is gone, too, when %s ends the run",
  async (signal) => {
    const program = `
    require("./bin/register.cjs");
    require("./ops/lib/private-folder.ts").withPrivateFolder((folder) => {
      console.log(folder);
      return new Promise((resolve) => setTimeout(resolve, 30000));
    });`;
    const child = spawn(process.execPath, ["-e", program], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const folder = line.toString().trim();
    expect(existsSync(folder)).toBe(true);
    child.kill(signal);
    const [code, seen] = (await once(child, "exit")) as [number | null, string | null];
    expect([code, seen]).toEqual([null, signal]);
    expect(existsSync(folder)).toBe(false);
  },
);
