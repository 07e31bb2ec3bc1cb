import { createHash } from "node:crypto";
import { talosPlugin } from "../../../plugins/talos";
import type { PluginStandIn } from "../../../plugins/framework/types";
import type { Json, JsonObject } from "../../../plugins/framework/values";
import type { NodeClient, NodeRequest } from "../../../plugins/talos/node-client";
import { bootstrapResource } from "../../../plugins/talos/bootstrap";
import { configurationApplyResource } from "../../../plugins/talos/config-apply";
import { kubeconfigResource } from "../../../plugins/talos/kubeconfig";
import type { MachineConfigs } from "../../../plugins/talos/machine-config";
import { secretsResource } from "../../../plugins/talos/secrets";
import type { Talosctl } from "../../../plugins/talos/talosctl";
import { readRecordings, replay, startPlugin, titleOf, type PluginClient } from "../../support/recordings";

const certificate = Buffer.from("-----BEGIN CERTIFICATE-----").toString("base64");
const kubeconfig = JSON.stringify({
  "current-context": "admin@fleet",
  contexts: [{ name: "admin@fleet", context: { cluster: "fleet", user: "admin@fleet" } }],
  clusters: [
    {
      name: "fleet",
      cluster: { server: "https://10.0.1.254:6443", "certificate-authority-data": certificate },
    },
  ],
  users: [
    { name: "admin@fleet", user: { "client-certificate-data": certificate, "client-key-data": "key" } },
  ],
});

const requests: NodeRequest[] = [];
/** A node that takes everything. */
const nodes: NodeClient = {
  once: async () => ({}),
  call: async (request) => {
    requests.push(request);
    return request.op === "kubeconfig" ? { kubeconfig } : {};
  },
};

const secretsFile = `
cluster: { id: i, secret: s }
secrets: { bootstraptoken: b, secretboxencryptionsecret: e }
trustdinfo: { token: t }
certs:
  etcd: { crt: ${certificate}, key: k }
  k8s: { crt: ${certificate}, key: k }
  k8saggregator: { crt: ${certificate}, key: k }
  k8sserviceaccount: { key: k }
  os: { crt: ${certificate}, key: k }
`;
const talosconfig = `contexts: { admin: { ca: ${certificate}, crt: ${certificate}, key: k } }`;
const talosctl: Talosctl = {
  run: async (files) => (Object.keys(files).length === 0 ? secretsFile : talosconfig),
};
const configs: MachineConfigs = {
  generate: async () => "",
  patch: async (config) => config,
};

const plugin: PluginStandIn = {
  ...talosPlugin({ talosctl: "/nonexistent", simnode: "/nonexistent" }),
  resources: {
    "talos:machine/secrets:Secrets": secretsResource(talosctl),
    "talos:machine/configurationApply:ConfigurationApply": configurationApplyResource({ configs, nodes }),
    "talos:machine/bootstrap:Bootstrap": bootstrapResource(nodes),
    "talos:cluster/kubeconfig:Kubeconfig": kubeconfigResource(nodes),
  },
};

/** A recorded config is cut, so the recorded hash is that of a text which is not there. */
const rehash = (value: Json): Json => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const config = value["machineConfiguration"];
  if (typeof config !== "string") return value;
  return { ...value, machineConfigurationHash: createHash("sha256").update(config).digest("hex") };
};
const rehashed = (request: JsonObject): JsonObject => {
  const pairs = Object.entries(request).map(([key, value]): [string, Json] => [key, rehash(value)]);
  return Object.fromEntries(pairs);
};

/** Hashes of cut texts and a cluster's random id are hidden as the recordings hide texts. */
const hidden = (response: unknown): JsonObject =>
  JSON.parse(
    JSON.stringify(response ?? {})
      .replace(/"[0-9a-f]{64}"/g, '"<hash>"')
      .replace(/"[\w-]{43}="/g, '"<id>"'),
  ) as JsonObject;

const calls = readRecordings("talos", /:(?:Secrets|ConfigurationApply|Bootstrap|Kubeconfig) /).map(
  (recording) => ({
    ...recording,
    request: rehashed(recording.request),
    response: hidden(recording.response),
  }),
);

let client: PluginClient;
beforeAll(async () => (client = await startPlugin(plugin)));
afterAll(() => client.stop());

describe("answers as the real plugin did", () => {
  test("there is something to replay", () => expect(calls).toHaveLength(36));

  test.each(calls.map((recording, index) => [titleOf(recording, index), recording] as const))(
    "%s",
    async (_, recording) => {
      const { expected, actual } = await replay(client, recording);
      expect(actual).toEqual(expected);
    },
  );

  test("the configs went to the nodes that were named", () => {
    const sent = requests
      .filter(({ op }) => op === "apply")
      .map(({ endpoint, node, mode }) => [endpoint, node, mode]);
    expect(sent).toEqual([
      ["127.20.0.1", "10.0.1.11", "no_reboot"],
      ["127.0.0.1:50001", "10.5.0.2", "no_reboot"],
    ]);
  });

  test.each(["CheckConfig", "Configure"])("%s of the provider", async (method) => {
    const [recording] = readRecordings("talos", new RegExp(`^pulumi:providers:talos ${method}$`));
    const { expected, actual } = await replay(client, recording!);
    expect(actual).toEqual(expected);
  });

  test("a time-out that is no duration", async () => {
    const [recording] = readRecordings("errors", /^talos-bad-timeout$/);
    const answer = await client.ask("check", { name: "b", ...recording!.request });
    expect(answer["failures"]).toEqual(recording!.failures);
  });
});
