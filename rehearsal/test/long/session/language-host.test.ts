import { servePlugins } from "../../../plugins/framework/serve";
import type { Session } from "../../../session";
import { openSession } from "../../../session";
import { pulumiOnly, programRoot } from "../../session/program-root";

jest.setTimeout(120_000);

const emptyWorld = async () => ({
  overrides: {},
  secrets: { "trivial:word": "s3cret-word" },
  leftovers: () => [],
  servePlugins: async () => servePlugins([]),
  stop: async () => undefined,
});

async function withProgram(program: string, work: (session: Session) => Promise<void>): Promise<void> {
  const { root, remove } = programRoot(program, { "trivial:plain": "as it is" });
  try {
    const session = await openSession({ stack: "lab", root, tools: await pulumiOnly() }, emptyWorld);
    try {
      await work(session);
    } finally {
      await session.close();
    }
  } finally {
    remove();
  }
}

const READS_ALL = `
const pulumi = require("@pulumi/pulumi");
const config = new pulumi.Config();
console.log("to stdout");
console.error("to stderr");
module.exports = {
  plain: config.require("plain"),
  secret: config.requireSecret("word"),
  secretKeys: JSON.parse(process.env.PULUMI_CONFIG_SECRET_KEYS).join(),
  title: process.title,
  stack: pulumi.getStack(),
  project: pulumi.getProject(),
  organization: pulumi.getOrganization(),
  dryRun: pulumi.runtime.isDryRun(),
  root: pulumi.getRootDirectory() === process.cwd(),
};`;

test("a program gets its configuration, secrets, node arguments and flags, and its output is shown", async () => {
  await withProgram(READS_ALL, async (session) => {
    const preview = await session.preview();
    expect(preview).toMatchObject({ code: 0 });
    expect(preview.stdout).toContain("to stdout");
    expect(preview.stdout).toContain("to stderr");
    expect(preview.stdout).not.toContain("s3cret-word");
    expect(await session.up()).toMatchObject({ code: 0 });
    expect(await session.outputs()).toMatchObject({ secret: "[secret]" });
    expect(await session.outputs({ showSecrets: true })).toEqual({
      plain: "as it is",
      secret: "s3cret-word",
      secretKeys: "trivial:config:word",
      title: "a  program",
      stack: "lab",
      project: "trivial",
      organization: "organization",
      dryRun: false,
      root: true,
    });
    expect(JSON.stringify(await session.exportState())).not.toContain("s3cret-word");
    expect(await session.preview({ expectNoChanges: true })).toMatchObject({ code: 0 });
    expect(await session.destroy()).toMatchObject({ code: 0 });
  });
});

test("an error of the program ends the run once, with its message", async () => {
  await withProgram(`throw new Error("the program says no");`, async (session) => {
    const run = await session.preview({ timeoutMs: 20_000 });
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("the program says no");
    expect(run.stdout).not.toContain("non-zero exit code");
  });
});

test("a program that ends by itself with a code is reported with that code", async () => {
  await withProgram(`process.exit(7);`, async (session) => {
    const run = await session.preview();
    expect(run.code).not.toBe(0);
    expect(run.stdout + run.stderr).toContain("Program exited with non-zero exit code: 7");
  });
});

test("pulumi about shows the Node version and the dependencies", async () => {
  await withProgram("", async (session) => {
    const about = await session.pulumi(["about", "--json"]);
    expect(JSON.parse(about.stdout)).toMatchObject({
      runtime: { language: "nodejs", version: process.version },
    });
  });
});
