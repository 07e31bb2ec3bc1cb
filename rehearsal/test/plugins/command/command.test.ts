import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../../../plugins/framework/values";
import { commandPlugin } from "../../../plugins/command";
import { readRecordings, replay, startPlugin, titleOf, type PluginClient } from "../../support/recordings";

let client: PluginClient;
const cwd = realpathSync(mkdtempSync(join(tmpdir(), "command-plugin-")));

beforeAll(async () => {
  client = await startPlugin(commandPlugin({ cwd, env: { PATH: process.env["PATH"], FROM: "pulumi" } }));
});

afterAll(async () => {
  await client.stop();
  rmSync(cwd, { recursive: true });
});

const answered = readRecordings("command").filter(({ response }) => response !== null);

test.each(answered.map((recording, index) => [titleOf(recording, index), recording] as const))(
  "%s",
  async (_title, recording) => {
    const { actual, expected } = await replay(
      client,
      recording,
      recording.call.includes("Create") ? ["id"] : [],
    );
    expect(actual).toEqual(expected);
  },
);

test.each(readRecordings("command", /Handshake|DiffConfig/))(
  "$call is not implemented",
  async ({ call, errors, request }) => {
    const method = call.includes("Handshake") ? "handshake" : "diffConfig";
    const details = errors?.[0]?.replace("rpc error: code = Unimplemented desc = ", "");
    await expect(client.ask(method, request)).rejects.toMatchObject({ code: 12, details });
  },
);

test("a command that fails says what it printed", async () => {
  const [recording] = readRecordings("errors", /^command-fails$/);
  const details = recording?.errors?.[0]?.replace("rpc error: code = Unknown desc = ", "");
  await expect(client.ask("create", recording?.request ?? {})).rejects.toMatchObject({ code: 2, details });
});

const urn = "urn:pulumi:s::p::command:local:Command::c";

async function create(properties: JsonObject): Promise<JsonObject> {
  return (await client.ask("create", { urn, properties }))["properties"] as JsonObject;
}

test("commands run in the program's folder with Pulumi's environment, standard input and their interpreter", async () => {
  const properties = {
    create: "pwd; echo $FROM $OWN; cat; echo $0",
    environment: { OWN: "own" },
    stdin: "in\n",
    interpreter: ["/bin/sh", "-e", "-c"],
  };
  expect(await create(properties)).toMatchObject({ stdout: [cwd, "pulumi own", "in", "/bin/sh"].join("\n") });
});

test("an update without its own command runs create again, with the output of the run before", async () => {
  const olds = { create: "echo one", stdout: "before", stderr: "" };
  const request = { urn, id: "c1", olds, oldInputs: { create: "echo one" } };
  const updated = await client.ask("update", { ...request, news: { create: "echo $PULUMI_COMMAND_STDOUT" } });
  expect(updated["properties"]).toMatchObject({ stdout: "before" });
  const news = { create: "echo [$PULUMI_COMMAND_STDOUT]", addPreviousOutputInEnv: false };
  expect((await client.ask("update", { ...request, news }))["properties"]).toMatchObject({ stdout: "[]" });
});

test("a cancelled command is killed with what it started", async () => {
  const started = Date.now();
  const running = create({ create: "sleep 30 & wait" });
  await new Promise((resolve) => setTimeout(resolve, 300));
  client.raw.cancel(new (await import("../../../plugins/framework/protobuf")).Empty(), () => undefined);
  await expect(running).rejects.toMatchObject({
    details: expect.stringMatching(/^signal: killed: running/) as string,
  });
  expect(Date.now() - started).toBeLessThan(5000);
});
