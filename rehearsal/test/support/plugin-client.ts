/** Asks a served plugin stand-in over gRPC, in the recordings' JSON. */
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as provider from "@pulumi/pulumi/proto/provider_pb";
import { servePlugins } from "../../plugins/framework/serve";
import type { PluginStandIn } from "../../plugins/framework/types";
import { propsFromWire, toStruct, type Json, type JsonObject } from "../../plugins/framework/values";

export type Method =
  | "check"
  | "checkConfig"
  | "diff"
  | "diffConfig"
  | "create"
  | "read"
  | "update"
  | "delete"
  | "configure"
  | "invoke"
  | "handshake";

export interface PluginClient {
  /** Sends a recorded request; answers in the recordings' JSON. Rejects with gRPC's error. */
  ask(method: Method, request: JsonObject): Promise<JsonObject>;
  readonly raw: ResourceProviderClient;
  stop(): Promise<void>;
}

const struct = (value: Json | undefined) => toStruct(propsFromWire((value ?? {}) as JsonObject));
const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const textsOf = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.map((item) => textOf(item)) : [];

/** Empty values are left out, as protobuf's JSON does. */
const compact = (pairs: Record<string, Json | undefined>): JsonObject =>
  Object.fromEntries(
    Object.entries(pairs).filter((pair): pair is [string, Json] => {
      const value = pair[1];
      return (
        value !== undefined &&
        value !== "" &&
        value !== false &&
        !(Array.isArray(value) && value.length === 0)
      );
    }),
  );

type Message = { toJavaScript(): unknown } | undefined;
const json = (message: Message): Json | undefined => message?.toJavaScript() as Json | undefined;

function checkRequest(request: JsonObject): provider.CheckRequest {
  return new provider.CheckRequest()
    .setUrn(textOf(request["urn"]))
    .setName(textOf(request["name"]))
    .setType(textOf(request["type"]))
    .setRandomseed(textOf(request["randomSeed"]))
    .setOlds(struct(request["olds"]))
    .setNews(struct(request["news"]));
}

const checkAnswer = (response: provider.CheckResponse): JsonObject =>
  compact({
    inputs: json(response.getInputs()),
    failures: response
      .getFailuresList()
      .map((failure) => compact({ property: failure.getProperty(), reason: failure.getReason() })),
  });

function diffRequest(request: JsonObject): provider.DiffRequest {
  return new provider.DiffRequest()
    .setId(textOf(request["id"]))
    .setUrn(textOf(request["urn"]))
    .setName(textOf(request["name"]))
    .setType(textOf(request["type"]))
    .setIgnorechangesList(textsOf(request["ignoreChanges"]))
    .setOlds(struct(request["olds"]))
    .setNews(struct(request["news"]))
    .setOldInputs(struct(request["oldInputs"]));
}

const nameOf = (names: object, value: number): string =>
  Object.entries(names).find(([, number]) => number === value)?.[0] ?? "";

function diffAnswer(response: provider.DiffResponse): JsonObject {
  const changes = nameOf(provider.DiffResponse.DiffChanges, response.getChanges());
  const detailed: Record<string, JsonObject> = {};
  response.getDetaileddiffMap().forEach((diff, path) => {
    const kind = nameOf(provider.PropertyDiff.Kind, diff.getKind());
    detailed[path] = compact({ kind: kind === "ADD" ? "" : kind });
  });
  return compact({
    replaces: response.getReplacesList(),
    stables: response.getStablesList(),
    deleteBeforeReplace: response.getDeletebeforereplace(),
    changes: changes === "DIFF_UNKNOWN" ? "" : changes,
    diffs: response.getDiffsList(),
    detailedDiff: Object.keys(detailed).length > 0 ? detailed : undefined,
    hasDetailedDiff: response.getHasdetaileddiff(),
  });
}

const createRequest = (request: JsonObject): provider.CreateRequest =>
  new provider.CreateRequest()
    .setUrn(textOf(request["urn"]))
    .setName(textOf(request["name"]))
    .setType(textOf(request["type"]))
    .setPreview(request["preview"] === true)
    .setProperties(struct(request["properties"]));

const updateRequest = (request: JsonObject): provider.UpdateRequest =>
  new provider.UpdateRequest()
    .setId(textOf(request["id"]))
    .setUrn(textOf(request["urn"]))
    .setName(textOf(request["name"]))
    .setType(textOf(request["type"]))
    .setPreview(request["preview"] === true)
    .setIgnorechangesList(textsOf(request["ignoreChanges"]))
    .setOlds(struct(request["olds"]))
    .setNews(struct(request["news"]))
    .setOldInputs(struct(request["oldInputs"]));

const readRequest = (request: JsonObject): provider.ReadRequest =>
  new provider.ReadRequest()
    .setId(textOf(request["id"]))
    .setUrn(textOf(request["urn"]))
    .setName(textOf(request["name"]))
    .setType(textOf(request["type"]))
    .setProperties(struct(request["properties"]))
    .setInputs(struct(request["inputs"]));

const deleteRequest = (request: JsonObject): provider.DeleteRequest =>
  new provider.DeleteRequest()
    .setId(textOf(request["id"]))
    .setUrn(textOf(request["urn"]))
    .setName(textOf(request["name"]))
    .setType(textOf(request["type"]))
    .setProperties(struct(request["properties"]))
    .setOldInputs(struct(request["oldInputs"]));

const configureRequest = (request: JsonObject): provider.ConfigureRequest =>
  new provider.ConfigureRequest()
    .setUrn(textOf(request["urn"]))
    .setArgs(struct(request["args"]))
    .setAcceptsecrets(true)
    .setAcceptresources(true);

const configureAnswer = (response: provider.ConfigureResponse): JsonObject =>
  compact({
    acceptSecrets: response.getAcceptsecrets(),
    supportsPreview: response.getSupportspreview(),
    acceptResources: response.getAcceptresources(),
    acceptOutputs: response.getAcceptoutputs(),
    supportsAutonamingConfiguration: response.getSupportsAutonamingConfiguration(),
  });

type Callback<T> = (error: ServiceError | null, response: T) => void;
const promised = <T>(send: (callback: Callback<T>) => unknown): Promise<T> =>
  new Promise((resolve, reject) => {
    send((error, response) => {
      if (error === null) resolve(response);
      else reject(error);
    });
  });

function asker(raw: ResourceProviderClient): Record<Method, (request: JsonObject) => Promise<JsonObject>> {
  return {
    check: async (request) =>
      checkAnswer(await promised<provider.CheckResponse>((done) => raw.check(checkRequest(request), done))),
    checkConfig: async (request) =>
      checkAnswer(
        await promised<provider.CheckResponse>((done) => raw.checkConfig(checkRequest(request), done)),
      ),
    diff: async (request) =>
      diffAnswer(await promised<provider.DiffResponse>((done) => raw.diff(diffRequest(request), done))),
    diffConfig: async (request) =>
      diffAnswer(await promised<provider.DiffResponse>((done) => raw.diffConfig(diffRequest(request), done))),
    create: async (request) => {
      const response = await promised<provider.CreateResponse>((done) =>
        raw.create(createRequest(request), done),
      );
      return compact({ id: response.getId(), properties: json(response.getProperties()) });
    },
    update: async (request) => {
      const response = await promised<provider.UpdateResponse>((done) =>
        raw.update(updateRequest(request), done),
      );
      return compact({ properties: json(response.getProperties()) });
    },
    read: async (request) => {
      const response = await promised<provider.ReadResponse>((done) => raw.read(readRequest(request), done));
      return compact({
        id: response.getId(),
        properties: json(response.getProperties()),
        inputs: json(response.getInputs()),
      });
    },
    delete: async (request) => {
      await promised((done) => raw.delete(deleteRequest(request), done));
      return {};
    },
    configure: async (request) =>
      configureAnswer(
        await promised<provider.ConfigureResponse>((done) => raw.configure(configureRequest(request), done)),
      ),
    invoke: async (request) => {
      const message = new provider.InvokeRequest()
        .setTok(textOf(request["tok"]))
        .setArgs(struct(request["args"]))
        .setPreview(request["preview"] === true);
      const response = await promised<provider.InvokeResponse>((done) => raw.invoke(message, done));
      return compact({ return: json(response.getReturn()) });
    },
    handshake: async (request) => {
      const message = new provider.ProviderHandshakeRequest().setEngineAddress(
        textOf(request["engineAddress"]),
      );
      await promised((done) => raw.handshake(message, done));
      return {};
    },
  };
}

/** Serves one stand-in and connects to it. */
export async function startPlugin(standIn: PluginStandIn): Promise<PluginClient> {
  const served = await servePlugins([standIn]);
  const port = served.debugProviders.split(":")[1] ?? "";
  const raw = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const methods = asker(raw);
  return {
    ask: (method, request) => methods[method](request),
    raw,
    stop: async () => {
      raw.close();
      await served.stop();
    },
  };
}
