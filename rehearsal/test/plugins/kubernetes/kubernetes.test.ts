import type { JsonObject } from "../../../plugins/framework/values";
import { readRecordings, replay, titleOf } from "../../support/recordings";
import { kubeconfigFor } from "./cluster";
import { pluginForEachTest } from "./set-up";

const plugin = pluginForEachTest();
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const secret = (value: string | JsonObject): JsonObject => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

const questions = readRecordings("kubernetes", /CheckConfig|Configure|ConfigMap Check/);

test.each(questions.map((recording, index) => [titleOf(recording, index), recording] as const))(
  "%s",
  async (_title, recording) => {
    const { actual, expected } = await replay(plugin.client, recording);
    expect(actual).toEqual(expected);
  },
);

test("a Secret's stringData becomes data and stays secret", async () => {
  const [recording] = readRecordings("kubernetes", /Secret Check/);
  const news = { ...(recording?.request["news"] as JsonObject), stringData: secret({ token: "abc" }) };
  const { inputs } = (await plugin.client.ask("check", { ...recording?.request, news })) as {
    inputs: JsonObject;
  };
  expect(inputs).toEqual({
    ...(recording?.response?.["inputs"] as JsonObject),
    data: secret({ token: "YWJj" }),
  });
});

const creates = readRecordings("kubernetes", / Create$/);

test.each(creates)("$call while the API server starts", async ({ errors, request }) => {
  plugin.cluster.ready = false;
  await plugin.configure(plugin.cluster.kubeconfig);
  const details = errors?.[0]?.replace("rpc error: code = Unknown desc = ", "");
  await expect(plugin.client.ask("create", request)).rejects.toMatchObject({ code: 2, details });
  expect(plugin.cluster.objects.size).toBe(0);
});

const configMap = creates[0]!;
const path = "/api/v1/namespaces/kube-system/configmaps/talos-fleet";

test("an object is applied, read, changed and deleted", async () => {
  await plugin.configure(plugin.cluster.kubeconfig);
  const inputs = configMap.request["properties"] as JsonObject;
  const made = await plugin.client.ask("create", configMap.request);
  const state = made["properties"] as JsonObject;
  expect(made["id"]).toBe("kube-system/talos-fleet");
  expect(state["metadata"]).toEqual({ name: "talos-fleet", namespace: "kube-system", uid: "u-1" });
  const request = { urn: configMap.request["urn"]!, id: made["id"]! };
  expect(await plugin.client.ask("read", { ...request, properties: state, inputs })).toEqual({
    id: made["id"],
    properties: state,
    inputs,
  });
  const news = { ...inputs, data: { schematic: "ffff" } };
  expect(await plugin.client.ask("diff", { ...request, olds: state, oldInputs: inputs, news })).toEqual({
    changes: "DIFF_SOME",
    diffs: ["data"],
    detailedDiff: { "data.schematic": { kind: "UPDATE" } },
    hasDetailedDiff: true,
  });
  await plugin.client.ask("update", { ...request, olds: state, oldInputs: inputs, news });
  expect(plugin.cluster.objects.get(path)?.["data"]).toEqual({ schematic: "ffff" });
  await plugin.client.ask("delete", { ...request, properties: state, oldInputs: inputs });
  expect(plugin.cluster.objects.size).toBe(0);
  expect(await plugin.client.ask("read", { ...request, properties: state, inputs })).toEqual({});
});

test("a preview with an unknown kubeconfig touches no cluster", async () => {
  await plugin.configure(unknown);
  const preview = await plugin.client.ask("create", { ...configMap.request, preview: true });
  expect(preview["properties"]).toEqual(configMap.request["properties"]);
  expect(plugin.cluster.requests).toEqual([]);
});

test("an unreachable cluster does not stop a diff, and is named in a create", async () => {
  await plugin.configure(kubeconfigFor("https://127.0.0.1:9"));
  const inputs = configMap.request["properties"] as JsonObject;
  expect(
    await plugin.client.ask("diff", {
      urn: configMap.request["urn"]!,
      olds: inputs,
      oldInputs: inputs,
      news: inputs,
    }),
  ).toMatchObject({ changes: "DIFF_NONE" });
  await expect(plugin.client.ask("create", configMap.request)).rejects.toMatchObject({
    details: expect.stringContaining("unable to load schema information from the API server: Get ") as string,
  });
});

test("a fixed cluster identifier keeps the provider when the kubeconfig changes", async () => {
  const urn = "urn:pulumi:s::p::pulumi:providers:kubernetes::lab";
  const olds = { clusterIdentifier: "lab", kubeconfig: plugin.cluster.kubeconfig };
  const changed = await plugin.client.ask("diffConfig", {
    urn,
    olds,
    oldInputs: olds,
    news: { ...olds, kubeconfig: unknown },
  });
  expect(changed).toEqual({ changes: "DIFF_SOME", diffs: ["kubeconfig"] });
  const other = await plugin.client.ask("diffConfig", {
    urn,
    olds,
    oldInputs: olds,
    news: { ...olds, clusterIdentifier: "other" },
  });
  expect(other).toMatchObject({ replaces: ["clusterIdentifier"] });
});
