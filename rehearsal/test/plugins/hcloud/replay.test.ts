import { hcloudPlugin } from "../../../plugins/hcloud";
import { readRecordings, replay, startPlugin, titleOf, type PluginClient } from "../../support/recordings";

let client: PluginClient;

beforeAll(async () => {
  client = await startPlugin(hcloudPlugin());
});

afterAll(() => client.stop());

const questions = readRecordings(
  "hcloud",
  / (Check|CheckConfig|DiffConfig|Diff|Configure|Create preview)( |$)/,
);

test("there is something to replay", () => {
  expect(questions.length).toBeGreaterThan(40);
});

test.each(questions.map((recording, index) => [titleOf(recording, index), recording] as const))(
  "%s",
  async (_title, recording) => {
    const { actual, expected } = await replay(client, recording, ["id"]);
    expect(actual).toEqual(expected);
  },
);

const failures = readRecordings("errors", /^hcloud-(short-token|bad-cidr)$/);

test.each(failures.map((recording) => [recording.case, recording] as const))(
  "%s fails in the real plugin's words",
  async (_case, recording) => {
    const method = recording.call.endsWith("CheckConfig") ? "checkConfig" : "check";
    const name = recording.case === "hcloud-short-token" ? "hetzner" : "n";
    const answer = await client.ask(method, {
      ...recording.request,
      name,
      type: recording.call.split(" ")[0] ?? "",
    });
    expect(answer["failures"]).toEqual(recording.failures);
  },
);
