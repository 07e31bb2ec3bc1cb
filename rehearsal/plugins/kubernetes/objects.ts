/** ConfigMap and Secret in a namespace. */
import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { objectDiff, topLevelNames, type DetailedDiff } from "../framework/object-diff";
import {
  Secret,
  type CheckRequest,
  type DiffRequest,
  type DiffResponse,
  type Props,
  type ResourceStandIn,
  type UpdateRequest,
  type CreateRequest,
  type ReadRequest,
  type Value,
} from "../framework/types";
import {
  isProps,
  plain,
  plainProps,
  propsFromWire,
  propsToWire,
  record,
  same,
  text,
  type JsonObject,
} from "../framework/values";
import type { KubernetesApi } from "./api";

export interface Connection {
  /** Throws when the cluster of the latest Configure cannot be reached. */
  reach(): KubernetesApi;
  /** Why it cannot; undefined when it can. */
  readonly unreachable: () => string | undefined;
  /** It cannot, and the provider is told to go on with what was last seen. */
  readonly skips: () => boolean;
}

const autonamed = "pulumi.com/autonamed";
const managerKey = "__fieldManager";
const versionKey = "__initialApiVersion";

/** Secrets' `stringData` becomes `data`, as the plugin does; a secret stays secret. */
function encodeStringData(props: Props): Props {
  const { stringData, ...rest } = props;
  if (stringData === undefined || stringData === null) return props;
  const encoded = encode(stringData);
  const data = rest["data"];
  const merged = data === undefined || data === null ? encoded : merge(data, encoded);
  return { ...rest, data: merged };
}

function encode(value: Value): Value {
  if (value instanceof Secret) return new Secret(encode(value.value));
  if (typeof value === "string") return Buffer.from(value).toString("base64");
  return isProps(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encode(item)]))
    : value;
}

const merge = (left: Value, right: Value): Value =>
  new Secret({ ...asProps(plain(left)), ...asProps(plain(right)) });
const asProps = (value: Value): Props => (isProps(value) ? value : {});

function check(request: CheckRequest) {
  const news = encodeStringData(request.news);
  const metadata = record(news, "metadata");
  if (metadata["name"] !== undefined && metadata["name"] !== null) return { inputs: news, failures: [] };
  const before = record(request.olds, "metadata");
  const wasAutomatic = record(before, "annotations")[autonamed] === "true";
  const digest = createHash("sha256").update(request.randomSeed).digest("hex").slice(0, 8);
  const name = wasAutomatic ? (before["name"] ?? "") : `${request.name}-${digest}`;
  const annotations = { ...record(metadata, "annotations"), [autonamed]: "true" };
  return { inputs: { ...news, metadata: { ...metadata, name, annotations } }, failures: [] };
}

const identity = ["metadata.name", "metadata.namespace", "apiVersion", "kind", "type"];

/** A set `immutable` makes the content part of the identity. */
const replaces = (path: string, olds: Props): boolean =>
  identity.includes(path) ||
  (plain(olds["immutable"] ?? false) === true && /^(data|binaryData|immutable)\b/.test(path));

function diff(connection: Connection, request: DiffRequest): DiffResponse {
  const reason = connection.unreachable();
  if (reason !== undefined) request.log(reason, "warning");
  const changes = objectDiff(request.oldInputs, request.news, request.ignoreChanges);
  const replaced = Object.keys(changes).filter((path) => replaces(path, request.oldInputs));
  const detailedDiff: DetailedDiff = Object.fromEntries(
    Object.entries(changes).map(([path, { kind }]) => [
      path,
      { kind: replaced.includes(path) ? (`${kind}_REPLACE` as typeof kind) : kind },
    ]),
  );
  const [before, after] = [record(request.oldInputs, "metadata"), record(request.news, "metadata")];
  const keepsName =
    same(before["name"], after["name"]) && same(before["namespace"] ?? null, after["namespace"] ?? null);
  const diffs = topLevelNames(changes);
  return {
    changes: diffs.length > 0 ? "DIFF_SOME" : "DIFF_NONE",
    diffs,
    replaces: replaced,
    detailedDiff,
    deleteBeforeReplace: replaced.length > 0 && keepsName,
  };
}

const namespaceOf = (metadata: Props): string => text(metadata, "namespace") ?? "default";
const pathOf = (plural: string, id: string): string => {
  const [namespace = "", name = ""] = id.split("/");
  return `/api/v1/namespaces/${namespace}/${plural}/${name}`;
};

/** The object as the plugin keeps it: what the server says, without its field bookkeeping; content of Secrets secret. */
function stateOf(live: JsonObject, fieldManager: string): Props {
  const found = propsFromWire(live);
  const metadata = Object.fromEntries(
    Object.entries(record(found, "metadata")).filter(([key]) => key !== "managedFields"),
  );
  const data = found["data"];
  const hidden = found["kind"] === "Secret" && data !== undefined ? { data: new Secret(data) } : {};
  return { ...found, ...hidden, metadata, [managerKey]: fieldManager, [versionKey]: "v1" };
}

/** The old inputs' shape with the live values; what the server lacks is left out. */
function liveInputs(inputs: Value, live: Value | undefined): Value {
  if (inputs instanceof Secret) return new Secret(liveInputs(inputs.value, live));
  const actual = live instanceof Secret ? live.value : live;
  if (!isProps(inputs) || !isProps(actual)) return actual ?? inputs;
  const kept = Object.entries(inputs).filter(([key]) => key in actual);
  return Object.fromEntries(kept.map(([key, value]) => [key, liveInputs(value, actual[key])]));
}

const deletePolls = 50;

const unread =
  "failed to read resource state due to unreachable cluster. If the cluster was deleted, you can remove this resource " +
  'from Pulumi state by rerunning the operation with the PULUMI_K8S_DELETE_UNREACHABLE environment variable set to "true"';

/** As the last run left it, when the cluster cannot be asked and that is allowed; throws when it is not. */
function lastSeen(connection: Connection, { id, inputs, state }: ReadRequest) {
  if (!connection.skips()) throw new Error(unread);
  return { id, state, inputs };
}

export function objectResource(plural: string, connection: Connection): ResourceStandIn {
  const apply = async (request: CreateRequest, fieldManager: string) => {
    const inputs = plainProps(request.inputs);
    const metadata = record(inputs, "metadata");
    const id = `${namespaceOf(metadata)}/${text(metadata, "name") ?? ""}`;
    const live = await connection.reach().apply(pathOf(plural, id), fieldManager, propsToWire(inputs));
    return { id, state: stateOf(live, fieldManager) };
  };
  /** Since version 4.29 the plugin takes over nothing by its name (`upsertExistingObjects` is off). */
  const refuseExisting = async ({ inputs }: CreateRequest): Promise<void> => {
    const metadata = record(plainProps(inputs), "metadata");
    const name = text(metadata, "name") ?? "";
    if ((await connection.reach().get(pathOf(plural, `${namespaceOf(metadata)}/${name}`))) === undefined)
      return;
    const words = `${plural} "${name}" already exists`;
    throw new Error(`resource "${name}" was not successfully created by the Kubernetes API server: ${words}`);
  };
  const managerOf = (olds: Props): string => text(olds, managerKey) ?? newManager();
  return {
    check: async (request) =>
      connection.skips() && Object.keys(request.olds).length > 0
        ? { inputs: request.olds, failures: [] }
        : check(request),
    diff: async (request) => diff(connection, request),
    create: async (request) => {
      if (request.preview) return { id: "", state: request.inputs };
      await refuseExisting(request);
      return apply(request, newManager());
    },
    read: async (request) => {
      if (connection.unreachable() !== undefined) return lastSeen(connection, request);
      const { id, inputs, state } = request;
      const live = await connection.reach().get(pathOf(plural, id));
      if (live === undefined) return undefined;
      const found = stateOf(live, managerOf(state));
      return {
        id,
        state: found,
        inputs: Object.keys(inputs).length > 0 ? (liveInputs(inputs, found) as Props) : importedInputs(found),
      };
    },
    update: async (request: UpdateRequest) =>
      request.preview
        ? { state: { ...request.olds, ...request.inputs } }
        : { state: (await apply(request, managerOf(request.olds))).state },
    delete: async ({ id, signal }) => {
      const api = connection.reach();
      await api.remove(pathOf(plural, id));
      for (let poll = 0; poll < deletePolls && (await api.get(pathOf(plural, id))) !== undefined; poll += 1) {
        await sleep(200, undefined, { signal });
      }
    },
  };
}

const newManager = (): string => `pulumi-kubernetes-${randomBytes(4).toString("hex")}`;

function importedInputs(state: Props): Props {
  const { name = "", namespace = "default" } = record(state, "metadata");
  const kept = Object.entries(state).filter(([key]) =>
    ["apiVersion", "kind", "data", "binaryData", "immutable", "type"].includes(key),
  );
  return { ...Object.fromEntries(kept), metadata: { name, namespace } };
}
