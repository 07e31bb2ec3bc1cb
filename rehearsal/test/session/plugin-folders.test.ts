import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import type { Session } from "../../session";
import { openSession } from "../../session";
import { runCommand } from "../../session/run";
import { pulumiOnly, programRoot } from "./program-root";

jest.setTimeout(120_000);

const checkout = resolve(__dirname, "../../..");

const versionOf = (name: string): string => {
  const file = join(checkout, "node_modules", name, "package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
};

describe("real plugins of the user", () => {
  const home = mkdtempSync(join(tmpdir(), "tf-home-"));
  const project = programRoot("");
  const before = process.env["PULUMI_HOME"];
  const asked: string[][] = [];
  let session: Session;

  const install = (folder: string, ...others: string[]): void => {
    const plugin = join(home, "plugins", folder);
    mkdirSync(join(plugin, "data"), { recursive: true });
    const executable = `pulumi-${folder.split("-").slice(0, 2).join("-")}`;
    writeFileSync(join(plugin, executable), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    writeFileSync(join(plugin, "data/file"), "x");
    for (const other of others) writeFileSync(join(home, "plugins", `${folder}.${other}`), "");
  };

  beforeAll(async () => {
    install(`resource-docker-v${versionOf("@pulumi/docker")}`, "lock");
    install(`resource-command-v${versionOf("@pulumi/command")}`);
    install("resource-hcloud-v0.0.1");
    install(`resource-kubernetes-v${versionOf("@pulumi/kubernetes")}`, "partial");
    process.env["PULUMI_HOME"] = home;
    session = await openSession(
      { stack: "lab", root: project.root, tools: await pulumiOnly() },
      async () => ({
        overrides: {},
        secrets: {},
        leftovers: () => [],
        servePlugins: async ({ except }) => {
          asked.push([...except]);
          return { debugProviders: "", stop: async () => undefined };
        },
        stop: async () => undefined,
      }),
    );
  });

  afterAll(async () => {
    if (before === undefined) delete process.env["PULUMI_HOME"];
    else process.env["PULUMI_HOME"] = before;
    await session.close();
    project.remove();
    rmSync(home, { recursive: true, force: true });
  });

  test("of the versions that the program asks for are those Pulumi itself finds", async () => {
    const { path: command } = (await pulumiOnly()).pulumi;
    const args = ["plugin", "ls", "--json"];
    const listed = await runCommand({ command, args, cwd: session.project, env: session.env });
    const plugins = JSON.parse(listed.stdout) as { name: string; version: string }[];
    expect(plugins.map(({ name, version }) => `${name} ${version}`).sort()).toEqual([
      `command ${versionOf("@pulumi/command")}`,
      `docker ${versionOf("@pulumi/docker")}`,
    ]);
  });

  test("are not stood in for", () => {
    expect(asked).toEqual([["command", "docker"]]);
    expect(session.realPlugins).toEqual(["command", "docker"]);
  });
});
