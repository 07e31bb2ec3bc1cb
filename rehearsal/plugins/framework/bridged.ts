/** Resources of plugins that are bridged from Terraform, from a declarative schema (README: "A resource of a stand-in"). */
import { bridgedCheck } from "./bridged-check";
import { bridgedDiff } from "./bridged-diff";
import { readInputs } from "./bridged-read";
import { coerceProps, isGiven, plan, settle, type ResourceSchema, type Schema } from "./bridged-schema";
import { messageOf, PartialFailure } from "./errors";
import {
  Secret,
  Unknown,
  type CreateRequest,
  type DeleteRequest,
  type Props,
  type ReadRequest,
  type ResourceStandIn,
  type UpdateRequest,
  type Value,
} from "./types";
import { hasUnknown, plain, plainProps, unknown } from "./values";

export type { PropertySchema, ResourceSchema, Schema } from "./bridged-schema";

export interface BridgedOperations {
  /** `state` is laid over the plan: give what the provider fills in. */
  create(planned: Props, request: CreateRequest): Promise<{ readonly id: string; readonly state: Props }>;
  /** The whole state; undefined when the thing is gone. */
  read(request: ReadRequest): Promise<{ readonly id?: string; readonly state: Props } | undefined>;
  /** `state` is laid over the old state and the plan. Left out for resources whose every change replaces. */
  update?(planned: Props, request: UpdateRequest): Promise<{ readonly state: Props }>;
  delete(request: DeleteRequest): Promise<void>;
}

const known = (props: Props): Props =>
  Object.fromEntries(Object.entries(props).filter(([, value]) => !(value instanceof Unknown)));

/** The SDK half wraps a failure in a list of one, and names the resource when it already exists. */
const wording = (resource: ResourceSchema, error: unknown): string =>
  resource.kind === "sdk" ? `1 error occurred:\n\t* ${messageOf(error)}\n\n` : messageOf(error);

const withSecrets = (schema: Schema, props: Props): Props =>
  Object.fromEntries(
    Object.entries(props).map(([key, value]) => [
      key,
      schema[key]?.secret === true && isGiven(value) ? new Secret(plain(value)) : value,
    ]),
  );

/** Inputs over the old state: what is absent but filled in by the provider stays as it was. */
function planUpdate(resource: ResourceSchema, news: Props, olds: Props): Props {
  const planned = plan(resource.properties, coerceProps(resource.properties, news));
  return Object.fromEntries(
    Object.entries(planned).map(([key, value]) => [key, keepOld(value, news[key], olds[key])]),
  );
}

/** An unknown that no unknown input caused is the provider's: the old value stands, also inside lists of the same length. */
function keepOld(planned: Value, given: Value | undefined, old: Value | undefined): Value {
  if (!hasUnknown(planned) || hasUnknown(given)) return planned;
  if (planned instanceof Unknown) return old === undefined ? planned : old;
  const inner = (part: Value, key: string | number): Value =>
    keepOld(part, partOf(given, key), partOf(old, key));
  if (Array.isArray(planned)) return (planned as readonly Value[]).map(inner);
  return Object.fromEntries(Object.entries(planned as Props).map(([key, part]) => [key, inner(part, key)]));
}

const partOf = (value: Value | undefined, key: string | number): Value | undefined =>
  typeof value === "object" && value !== null ? (value as Record<string | number, Value>)[key] : undefined;

/** The framework half leaves out what is null. */
function stateOf(resource: ResourceSchema, id: string, state: Props): Props {
  const full = withSecrets(resource.properties, { ...state, id });
  return resource.kind === "sdk"
    ? full
    : Object.fromEntries(Object.entries(full).filter(([, value]) => isGiven(value)));
}

const settleFor = (resource: ResourceSchema, planned: Props, state: Props): Props =>
  resource.kind === "sdk" ? settle(planned, state) : state;

async function create(resource: ResourceSchema, operations: BridgedOperations, request: CreateRequest) {
  const planned = plan(resource.properties, coerceProps(resource.properties, plainProps(request.inputs)));
  if (request.preview) return { id: "", state: { ...stateOf(resource, "", planned), id: unknown } };
  try {
    const made = await operations.create(known(planned), request);
    return {
      id: made.id,
      state: stateOf(resource, made.id, { ...known(planned), ...settleFor(resource, planned, made.state) }),
    };
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw new Error(wording(resource, error));
    const state = stateOf(resource, error.id, { ...known(planned), ...error.state });
    throw new PartialFailure(`creating ${request.urn}: ${wording(resource, error)}`, {
      id: error.id,
      state,
      inputs: request.inputs,
    });
  }
}

async function update(resource: ResourceSchema, operations: BridgedOperations, request: UpdateRequest) {
  const planned = planUpdate(resource, plainProps(request.inputs), plainProps(request.olds));
  if (request.preview) return { state: stateOf(resource, request.id, planned) };
  if (operations.update === undefined)
    throw new Error(`updating ${request.urn}: the resource cannot be updated`);
  try {
    const updated = await operations.update(known(planned), { ...request, olds: plainProps(request.olds) });
    return {
      state: stateOf(resource, request.id, {
        ...known(planned),
        ...settleFor(resource, planned, updated.state),
      }),
    };
  } catch (error) {
    const state =
      error instanceof PartialFailure
        ? stateOf(resource, request.id, { ...request.olds, ...error.state })
        : request.olds;
    throw new PartialFailure(`updating ${request.urn}: ${wording(resource, error)}`, {
      id: request.id,
      state,
      inputs: request.inputs,
    });
  }
}

async function read(resource: ResourceSchema, operations: BridgedOperations, request: ReadRequest) {
  try {
    const found = await operations.read(request);
    if (found === undefined) return undefined;
    const id = found.id ?? request.id;
    return {
      id,
      state: stateOf(resource, id, found.state),
      inputs: readInputs(resource, found.state, request.inputs),
    };
  } catch (error) {
    throw new Error(`refreshing ${request.urn}: ${wording(resource, error)}`);
  }
}

async function remove(resource: ResourceSchema, operations: BridgedOperations, request: DeleteRequest) {
  try {
    await operations.delete(request);
  } catch (error) {
    throw new Error(`deleting ${request.urn}: ${wording(resource, error)}`);
  }
}

export const bridgedResource = (
  resource: ResourceSchema,
  operations: BridgedOperations,
): ResourceStandIn => ({
  check: async (request) => bridgedCheck(resource, request),
  diff: async (request) =>
    bridgedDiff(resource, { ...request, olds: plainProps(request.olds), news: plainProps(request.news) }),
  create: (request) => create(resource, operations, request),
  read: (request) => read(resource, operations, request),
  update: (request) => update(resource, operations, request),
  delete: (request) => remove(resource, operations, request),
});
