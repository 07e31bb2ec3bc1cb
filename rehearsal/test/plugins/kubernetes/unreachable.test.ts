/** What the plugin does about a cluster that is down, and about objects that are there already. */
import type { JsonObject } from "../../../plugins/framework/values";
import { readRecordings } from "../../support/recordings";
import { kubeconfigFor } from "./cluster";
import { pluginForEachTest } from "./set-up";

const plugin = pluginForEachTest();

const NOWHERE = kubeconfigFor("https://127.0.0.1:9");
const configMap = readRecordings("kubernetes", /ConfigMap Create$/)[0]!.request;
const check = readRecordings("kubernetes", /ConfigMap Check$/)[0]!.request;
const inputs = configMap["properties"] as JsonObject;
const reading = { urn: configMap["urn"]!, id: "kube-system/talos-fleet", properties: inputs, inputs };

test("a read of a cluster that is down fails", async () => {
  await plugin.configure(NOWHERE);
  await expect(plugin.client.ask("read", reading)).rejects.toMatchObject({
    details: expect.stringContaining("failed to read resource state due to unreachable cluster.") as string,
  });
});

// The SDK sends the flag as text.
describe.each([true, "true"])("skipUpdateUnreachable: %j", (skipUpdateUnreachable) => {
  beforeEach(() => plugin.configure(NOWHERE, { skipUpdateUnreachable }));

  test("a read gives what the last run left", async () => {
    expect(await plugin.client.ask("read", reading)).toEqual({ id: reading.id, properties: inputs, inputs });
  });

  test("a changed object is left as it is, a new one is not", async () => {
    const news = { ...inputs, data: { schematic: "ffff" } };
    expect(await plugin.client.ask("check", { ...check, olds: inputs, news })).toEqual({ inputs });
    expect(await plugin.client.ask("check", { ...check, olds: {}, news })).toEqual({ inputs: news });
    await expect(plugin.client.ask("create", configMap)).rejects.toMatchObject({ code: 2 });
  });
});

test("with the flag and a cluster that answers all is as ever", async () => {
  await plugin.configure(plugin.cluster.kubeconfig, { skipUpdateUnreachable: "true" });
  const news = { ...inputs, data: { schematic: "ffff" } };
  expect(await plugin.client.ask("check", { ...check, olds: inputs, news })).toEqual({ inputs: news });
  expect(await plugin.client.ask("read", reading)).toEqual({});
});

test("an object that exists is not taken over by its name", async () => {
  await plugin.configure(plugin.cluster.kubeconfig);
  await plugin.client.ask("create", configMap);
  await expect(plugin.client.ask("create", configMap)).rejects.toMatchObject({
    details:
      'resource "talos-fleet" was not successfully created by the Kubernetes API server: configmaps "talos-fleet" already exists',
  });
});
