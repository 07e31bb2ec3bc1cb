/** The bridge's Check: required and unknown properties, validators, defaults, automatic names. */
import { createHash } from "node:crypto";
import {
  coerceProps,
  isGiven,
  isZero,
  snakeCase,
  type PropertySchema,
  type ResourceSchema,
  type Schema,
} from "./bridged-schema";
import type { CheckFailure, CheckRequest, CheckResponse, Props, Value } from "./types";
import { hasUnknown, isList, isProps, list } from "./values";

/** The key under which the bridge keeps the names of properties that it filled in. */
export const defaultsKey = "__defaults";

const withoutDefaultsKey = (props: Props): Props =>
  Object.fromEntries(Object.entries(props).filter(([key]) => key !== defaultsKey));

/** `Examine values at 'name.path'.`, as the bridge ends its reasons. */
const examine = (reason: string, name: string, path: string): CheckFailure => ({
  reason: `${reason}. Examine values at '${name}.${path}'.`,
});

interface Place {
  readonly name: string;
  readonly path: string;
}

function missing(schema: Schema, given: Props, { name, path }: Place): CheckFailure[] {
  return Object.entries(schema)
    .filter(([key, property]) => property.required === true && !isGiven(given[key]))
    .map(([key, property]) => {
      const argument = property.terraformName ?? snakeCase(key);
      const reason = `Missing required argument. The argument "${argument}" is required, but no definition was found.`;
      return examine(reason, name, `${path}${key}`);
    });
}

/** Faults of one value at `place.path`. */
function wrong(property: PropertySchema | undefined, value: Value, place: Place): CheckFailure[] {
  const { name, path } = place;
  if (property === undefined || property.computed === "output")
    return [examine("Invalid or unknown key", name, path)];
  if (!isGiven(value)) return [];
  const { fields, validate } = property;
  const terraformName = property.terraformName ?? snakeCase(path.split(".").at(-1) ?? path);
  const reason = hasUnknown(value) ? undefined : validate?.(value, terraformName);
  const within = (item: Value, at: string) =>
    fields !== undefined && isProps(item) ? failures(fields, item, { name, path: `${at}.` }) : [];
  const nested = isList(value)
    ? value.flatMap((item, index) => within(item, `${path}[${index}]`))
    : within(value, path);
  return [...(reason === undefined ? [] : [examine(reason, name, path)]), ...nested];
}

function failures(schema: Schema, given: Props, place: Place): CheckFailure[] {
  const entries = Object.entries(withoutDefaultsKey(given));
  return [
    ...missing(schema, given, place),
    ...entries.flatMap(([key, value]) =>
      wrong(schema[key], value, { name: place.name, path: `${place.path}${key}` }),
    ),
  ];
}

const sevenHex = (seed: string): string => createHash("sha256").update(seed).digest("hex").slice(0, 7);

/** The name that Check gives when there is none: the one it gave before, or a new one from Pulumi's seed. */
function automaticName(request: CheckRequest, property: string): Value {
  const before = request.olds[property];
  const wasAutomatic = list(request.olds, defaultsKey).includes(property);
  return wasAutomatic && typeof before === "string"
    ? before
    : `${request.name}-${sevenHex(request.randomSeed || request.urn)}`;
}

function filledIn(resource: ResourceSchema, request: CheckRequest): Props {
  const filled: Record<string, Value> = {};
  const { autonamed } = resource;
  if (autonamed !== undefined && !isGiven(request.news[autonamed]))
    filled[autonamed] = automaticName(request, autonamed);
  if (resource.kind === "framework") return filled;
  for (const [key, property] of Object.entries(resource.properties)) {
    const { default: value } = property;
    if (value !== undefined && !isZero(value) && !isGiven(request.news[key])) filled[key] = value;
  }
  return filled;
}

const nestedDefaults = (schema: Schema, props: Props): Props =>
  Object.fromEntries(
    Object.entries(props).map(([key, value]) => {
      const fields = schema[key]?.fields;
      const fill = (item: Value) =>
        fields !== undefined && isProps(item)
          ? { ...defaultsOf(fields, item), ...nestedDefaults(fields, item) }
          : item;
      return [key, isList(value) ? value.map(fill) : fill(value)];
    }),
  );

const defaultsOf = (fields: Schema, given: Props): Props =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, { default: value }]) =>
      value === undefined || isZero(value) || isGiven(given[key]) ? [] : [[key, value]],
    ),
  );

export function bridgedCheck(resource: ResourceSchema, request: CheckRequest): CheckResponse {
  const given = coerceProps(resource.properties, withoutDefaultsKey(request.news));
  const filled = filledIn(resource, request);
  const complete = resource.kind === "sdk" ? nestedDefaults(resource.properties, given) : given;
  const inputs = {
    ...complete,
    ...filled,
    ...(resource.kind === "sdk" ? { [defaultsKey]: Object.keys(filled).sort() } : {}),
  };
  return {
    inputs,
    failures: failures(resource.properties, { ...given, ...filled }, { name: request.name, path: "" }),
  };
}
