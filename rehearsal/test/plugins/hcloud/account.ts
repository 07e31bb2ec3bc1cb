/** A simulated account and the served hcloud stand-in, for tests. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHetzner, type Hetzner } from "../../../hetzner";
import type { JsonObject } from "../../../plugins/framework/values";
import { hcloudPlugin } from "../../../plugins/hcloud";
import { startPlugin, type PluginClient } from "../../support/recordings";

export const token = "t".repeat(64);

export interface Account {
  readonly hetzner: Hetzner;
  readonly client: PluginClient;
  /** Configures the plugin again, with another token for example. */
  configure(args?: JsonObject): Promise<void>;
  stop(): Promise<void>;
}

/** Servers from stock images start no node, so any executable does. */
export async function startAccount(): Promise<Account> {
  const dir = mkdtempSync(join(tmpdir(), "hcloud-plugin-"));
  const hetzner = await startHetzner({
    dir,
    simnode: "/bin/true",
    token,
    publicNetwork: "127.21.0",
    talosVersion: "v1.13.10",
    actionMs: 5,
  });
  const client = await startPlugin(hcloudPlugin({ retryBaseMs: 5 }));
  const configure = async (args: JsonObject = {}) => {
    await client.ask("configure", {
      args: { token, endpoint: hetzner.url, pollInterval: "5ms", pollFunction: "constant", ...args },
    });
  };
  await configure();
  return {
    hetzner,
    client,
    configure,
    stop: async () => {
      await client.stop();
      await hetzner.stop();
    },
  };
}

export interface Resource {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: JsonObject;
  readonly state: JsonObject;
}

const identity = (type: string, name: string): JsonObject => ({
  type: `hcloud:index/${type}`,
  name,
  urn: `urn:pulumi:s::p::hcloud:index/${type}::${name}`,
});

/** Check and Create as Pulumi does them. */
export async function make(client: PluginClient, type: string, given: JsonObject): Promise<Resource> {
  const name = "thing";
  const checked = await client.ask("check", { ...identity(type, name), news: given, randomSeed: "c2VlZA==" });
  if (checked["failures"] !== undefined) throw new Error(JSON.stringify(checked["failures"]));
  const inputs = checked["inputs"] as JsonObject;
  const made = await client.ask("create", { ...identity(type, name), properties: inputs });
  return { type, name, id: made["id"] as string, inputs, state: made["properties"] as JsonObject };
}

export const diff = (client: PluginClient, resource: Resource, news: JsonObject = resource.inputs) =>
  client.ask("diff", {
    ...identity(resource.type, resource.name),
    id: resource.id,
    olds: resource.state,
    oldInputs: resource.inputs,
    news,
  });

/** Check and Update; the resource with its new state. */
export async function change(client: PluginClient, resource: Resource, given: JsonObject): Promise<Resource> {
  const { type, name, id, state, inputs } = resource;
  const checked = await client.ask("check", {
    ...identity(type, name),
    olds: inputs,
    news: given,
    randomSeed: "c2VlZA==",
  });
  const news = checked["inputs"] as JsonObject;
  const updated = await client.ask("update", {
    ...identity(type, name),
    id,
    olds: state,
    oldInputs: inputs,
    news,
  });
  return { ...resource, inputs: news, state: updated["properties"] as JsonObject };
}

/** Undefined when it is gone. */
export async function refresh(client: PluginClient, resource: Resource): Promise<Resource | undefined> {
  const { type, name, id, state, inputs } = resource;
  const found = await client.ask("read", { ...identity(type, name), id, properties: state, inputs });
  if (found["id"] === undefined) return undefined;
  return { ...resource, state: found["properties"] as JsonObject, inputs: found["inputs"] as JsonObject };
}

export const remove = (client: PluginClient, { type, name, id, state, inputs }: Resource) =>
  client.ask("delete", { ...identity(type, name), id, properties: state, oldInputs: inputs });
