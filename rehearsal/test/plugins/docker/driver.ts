/** Asks the docker stand-in what the real plugin was asked, on an engine of this run's. */
import { dockerPlugin } from "../../../plugins/docker";
import type { Json, JsonObject } from "../../../plugins/framework/values";
import {
  comparable,
  readRecordings,
  startPlugin,
  type PluginClient,
  type Recording,
} from "../../support/recordings";
import { freePort } from "../../docker-engine/support";

export const recorded = (call: string): Recording => {
  const [found] = readRecordings("docker", new RegExp(`:${call}$`));
  if (found === undefined) throw new Error(`no recording of ${call}`);
  return found;
};

export const failure = (name: string): Recording => readRecordings("errors", new RegExp(`^${name}$`))[0]!;

/** Everything that is another engine's own: ids, folders and the runtime of the engine that was recorded. */
const OWN = ["id", "imageId", "mountpoint", "runtime"];

/** Properties as they are compared: without what is another engine's own. */
export const general = (properties: Json | undefined, others: readonly string[] = []): Json =>
  comparable(properties, [...OWN, ...others]);

export interface Made {
  readonly id: string;
  readonly state: JsonObject;
  readonly inputs: JsonObject;
  readonly request: JsonObject;
}

export interface Driver {
  readonly client: PluginClient;
  /** Host ports of this run by those of the recording: other tests may have those. */
  readonly ports: ReadonlyMap<number, number>;
  /** The recorded value with this run's ports. */
  here(value: Json | undefined): Json;
  create(recording: Recording, change?: JsonObject): Promise<Made>;
  read(made: Made): Promise<JsonObject>;
  update(made: Made, recording: Recording, olds: Json): Promise<JsonObject>;
  remove(made: Made): Promise<JsonObject>;
}

export async function startDriver(host: string): Promise<Driver> {
  const ports = new Map([
    [50001, await freePort()],
    [16443, await freePort()],
    [50055, await freePort()],
  ]);
  const client = await startPlugin(dockerPlugin());
  await client.ask("configure", { args: { host } });
  const here = (value: Json | undefined): Json => {
    if (typeof value === "number") return ports.get(value) ?? value;
    if (Array.isArray(value)) return value.map(here);
    if (typeof value !== "object" || value === null) return value ?? null;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, here(item)]));
  };
  const subject = ({ id, request }: Made): JsonObject => ({
    id,
    urn: request["urn"]!,
    type: request["type"]!,
    name: request["name"]!,
  });
  return {
    client,
    ports,
    here,
    create: async (recording, change = {}) => {
      const inputs = { ...(here(recording.request["properties"]) as JsonObject), ...change };
      const request = { ...recording.request, properties: inputs };
      const answer = await client.ask("create", request);
      return { id: answer["id"] as string, state: answer["properties"] as JsonObject, inputs, request };
    },
    read: (made) => client.ask("read", { ...subject(made), properties: made.state, inputs: made.inputs }),
    update: (made, recording, olds) =>
      client.ask("update", { ...(here(recording.request) as JsonObject), ...subject(made), olds }),
    remove: (made) =>
      client.ask("delete", { ...subject(made), properties: made.state, oldInputs: made.inputs }),
  };
}
