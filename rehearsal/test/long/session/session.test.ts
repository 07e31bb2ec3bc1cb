import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { servePlugins } from "../../../plugins/framework/serve";
import type { PluginStandIn, Props, ResourceStandIn } from "../../../plugins/framework/types";
import type { Session } from "../../../session";
import { openSession } from "../../../session";
import { pulumiOnly, programRoot } from "../../session/program-root";

jest.setTimeout(120_000);

const PROGRAM = `
const pulumi = require("@pulumi/pulumi");
const fs = require("node:fs");
class Thing extends pulumi.CustomResource {
  constructor(name, args, options) { super("stub:index:Thing", name, args, options); }
}
const config = new pulumi.Config();
new Thing("one", { size: config.requireObject("shape").size });
if (!pulumi.runtime.isDryRun()) { fs.mkdirSync(".lab", { recursive: true }); fs.writeFileSync(".lab/kubeconfig", "x"); }
module.exports = { shape: config.requireObject("shape") };`;

const CONFIG = { "trivial:shape": { size: 1, colour: "red" } };

function stubPlugin(created: Props[]): PluginStandIn {
  const thing: ResourceStandIn = {
    check: async ({ news }) => ({ inputs: news, failures: [] }),
    diff: async () => ({
      changes: "DIFF_NONE",
      replaces: [],
      diffs: [],
      detailedDiff: {},
      deleteBeforeReplace: false,
    }),
    create: async ({ inputs, preview }) => {
      if (!preview) created.push(inputs);
      return { id: preview ? "" : "thing-1", state: inputs };
    },
    read: async ({ id, state, inputs }) => ({ id, state, inputs }),
    update: async ({ inputs }) => ({ state: inputs }),
    delete: async () => void created.pop(),
  };
  return {
    name: "stub",
    version: "1.0.0",
    capabilities: { acceptSecrets: true, supportsPreview: true, acceptResources: true, acceptOutputs: true },
    checkConfig: async ({ news }) => ({ inputs: news, failures: [] }),
    configure: async () => undefined,
    resources: { "stub:index:Thing": thing },
    functions: {},
  };
}

describe("a session", () => {
  const created: Props[] = [];
  const stopped: string[] = [];
  const project = programRoot(PROGRAM, CONFIG);
  let session: Session;

  beforeAll(async () => {
    const world = async () => ({
      overrides: { "trivial:shape": { size: 2 } },
      secrets: {},
      leftovers: () => [],
      servePlugins: async () => servePlugins([stubPlugin(created)]),
      stop: async () => void stopped.push("world"),
    });
    session = await openSession(
      { stack: "lab", root: project.root, tools: await pulumiOnly(), overrides: { "trivial:extra": "x" } },
      world,
    );
  });

  afterAll(async () => {
    await session.close();
    project.remove();
  });

  test("works in a private folder", () => {
    expect(statSync(session.folder).mode & 0o777).toBe(0o700);
  });

  test("goes through preview, up, an empty preview, refresh and destroy on attached plugins", async () => {
    const preview = await session.preview({ json: true });
    expect(JSON.parse(preview.stdout)).toMatchObject({ changeSummary: { create: 2 } });
    expect(created).toEqual([]);
    const lines: string[] = [];
    expect(await session.up({ onLine: (line) => lines.push(line) })).toMatchObject({ code: 0 });
    expect(lines.join("\n")).toContain("stub:index:Thing one");
    expect(created).toEqual([{ size: 2 }]);
    expect(await session.outputs()).toEqual({ shape: { size: 2, colour: "red" } });
    expect(await session.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
    expect(await session.refresh()).toMatchObject({ code: 0 });
    expect(await session.destroy()).toMatchObject({ code: 0 });
    expect(created).toEqual([]);
  });

  test("leaves the project's own stack file and folder as they were", () => {
    expect(JSON.parse(readFileSync(join(project.root, "Pulumi.lab.yaml"), "utf8"))).toEqual({
      config: CONFIG,
    });
    expect(readdirSync(project.root).sort()).toEqual([
      "Pulumi.lab.yaml",
      "Pulumi.yaml",
      "index.js",
      "node_modules",
      "package.json",
    ]);
    expect(existsSync(join(session.project, ".lab/kubeconfig"))).toBe(true);
  });

  test("keeps the caller's environment out", () => {
    expect(session.env["HOME"]).toBe(join(session.folder, "home"));
    expect(
      Object.keys(session.env).filter((name) => /HCLOUD|DOCKER|KUBECONFIG|TALOSCONFIG|proxy/i.test(name)),
    ).toEqual([]);
  });

  test("kills a run at its time limit", async () => {
    const run = await session.pulumi(["preview"], { timeoutMs: 200 });
    expect(run.code).toBe(124);
  });

  test("removes everything on close", async () => {
    await session.close();
    expect(stopped).toEqual(["world"]);
    expect(existsSync(session.folder)).toBe(false);
    expect(session.leftovers()).toEqual([]);
  });
});

test("a world that does not start leaves nothing behind", async () => {
  const project = programRoot("");
  let folder = "";
  const failing = async (context: { folder: string }): Promise<never> => {
    folder = context.folder;
    throw new Error("no world today");
  };
  await expect(
    openSession({ stack: "lab", root: project.root, tools: await pulumiOnly() }, failing),
  ).rejects.toThrow("no world today");
  expect(folder).not.toBe("");
  expect(existsSync(join(folder, ".."))).toBe(false);
  project.remove();
});
