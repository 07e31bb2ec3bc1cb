import { dockerPlugin } from "../../../plugins/docker";
import { readRecordings, replay, startPlugin, titleOf, type PluginClient } from "../../support/recordings";

let client: PluginClient;

beforeAll(async () => {
  client = await startPlugin(dockerPlugin());
});

afterAll(() => client.stop());

const questions = readRecordings("docker", / (Check|CheckConfig|DiffConfig|Diff|Create preview)( |$)/);

test("there is something to replay", () => {
  expect(questions.length).toBe(21);
});

test.each(questions.map((recording, index) => [titleOf(recording, index), recording] as const))(
  "%s",
  async (_title, recording) => {
    const { actual, expected } = await replay(client, recording);
    expect(actual).toEqual(expected);
  },
);

test("an engine that is not there is told from in Configure, also before a preview", async () => {
  const [recording] = readRecordings("errors", /^docker-no-engine$/);
  await expect(client.ask("configure", recording!.request)).rejects.toThrow(
    /docker native provider returned an unexpected error from Configure: failed to connect to any docker daemon$/,
  );
});

test("an engine behind SSH is not asked", async () => {
  const answer = await client.ask("configure", { args: { host: "ssh://preview.invalid" } });
  expect(answer).toEqual({ supportsPreview: true, supportsAutonamingConfiguration: true });
});

test("another host is a difference of the provider, not a replacement", async () => {
  const olds = { host: "unix:///var/run/docker.sock" };
  const answer = await client.ask("diffConfig", { olds, news: { host: "ssh://preview.invalid" } });
  expect(answer).toEqual({ changes: "DIFF_SOME", diffs: ["host"] });
});
