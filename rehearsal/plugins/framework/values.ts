/** Values between the wire's JSON and the stand-ins' `Value`, and helpers to read them. */
import { Struct } from "./protobuf";
import { Secret, Unknown, type Props, type Value } from "./types";

/** Pulumi's word for a value that a preview cannot know. */
const unknownWire = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const signature = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";
const outputSignature = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/** Unknowns of a known kind: bool, number, array, asset, archive, object. */
const typedUnknowns = new Set([
  unknownWire,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export const unknown = new Unknown();

/** True for an object of properties: neither list, secret nor unknown. */
export const isProps = (value: Value | undefined): value is Props =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Secret) &&
  !(value instanceof Unknown);

export const isList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value);

export const mapProps = (props: Props, change: (value: Value, key: string) => Value): Props =>
  Object.fromEntries(Object.entries(props).map(([key, value]) => [key, change(value, key)]));

/** The value without secret wrappers at any depth. */
export function plain(value: Value): Value {
  if (value instanceof Secret) return plain(value.value);
  if (isList(value)) return value.map(plain);
  return isProps(value) ? mapProps(value, plain) : value;
}

export const plainProps = (props: Props): Props => mapProps(props, plain);

/** True when the value is, or holds at any depth, something unknown. */
export function hasUnknown(value: Value | undefined): boolean {
  if (value instanceof Unknown) return true;
  if (value instanceof Secret) return hasUnknown(value.value);
  if (isList(value)) return value.some(hasUnknown);
  return isProps(value) && Object.values(value).some(hasUnknown);
}

/** Deep equality of plain content; an unknown equals nothing, not even itself. Secrets are compared by what they hide. */
export function same(left: Value | undefined, right: Value | undefined): boolean {
  if (left instanceof Secret) return same(left.value, right);
  if (right instanceof Secret) return same(left, right.value);
  if (left instanceof Unknown || right instanceof Unknown) return false;
  if (isList(left))
    return (
      isList(right) && left.length === right.length && left.every((item, index) => same(item, right[index]))
    );
  if (!isProps(left)) return left === right;
  return isProps(right) && Object.keys({ ...left, ...right }).every((key) => same(left[key], right[key]));
}

/** The string under a key; undefined when it is absent, null, unknown or of another type. */
export function text(props: Props, key: string): string | undefined {
  const value = plain(props[key] ?? null);
  return typeof value === "string" ? value : undefined;
}

export function number(props: Props, key: string): number | undefined {
  const value = plain(props[key] ?? null);
  return typeof value === "number" ? value : undefined;
}

export function flag(props: Props, key: string): boolean | undefined {
  const value = plain(props[key] ?? null);
  return typeof value === "boolean" ? value : undefined;
}

/** The object under a key; empty when there is none. */
export function record(props: Props, key: string): Props {
  const value = plain(props[key] ?? null);
  return isProps(value) ? value : {};
}

/** The list under a key; empty when there is none. */
export function list(props: Props, key: string): readonly Value[] {
  const value = plain(props[key] ?? null);
  return isList(value) ? value : [];
}

/** The strings of the list under a key. */
export const texts = (props: Props, key: string): string[] =>
  list(props, key).filter((item): item is string => typeof item === "string");

/** The objects of the list under a key. */
export const records = (props: Props, key: string): Props[] => list(props, key).filter(isProps);

/** From the wire's JSON: unknown markers, secret wrappers and output values are recognised at any depth. */
export function fromWire(json: Json): Value {
  if (typeof json === "string") return typedUnknowns.has(json) ? unknown : json;
  if (Array.isArray(json)) return json.map(fromWire);
  if (typeof json !== "object" || json === null) return json;
  if (json[signature] === secretSignature) return new Secret(fromWire(json["value"] ?? null));
  if (json[signature] === outputSignature) return fromOutput(json);
  return propsFromWire(json);
}

function fromOutput(json: JsonObject): Value {
  const inner = "value" in json ? fromWire(json["value"] ?? null) : unknown;
  return json["secret"] === true ? new Secret(inner) : inner;
}

export const propsFromWire = (json: JsonObject): Props =>
  Object.fromEntries(Object.entries(json).map(([key, value]) => [key, fromWire(value)]));

export function toWire(value: Value): Json {
  if (value instanceof Unknown) return unknownWire;
  if (value instanceof Secret) return { [signature]: secretSignature, value: toWire(value.value) };
  if (isList(value)) return value.map(toWire);
  return isProps(value) ? propsToWire(value) : value;
}

const isDefined = (value: Value | undefined): boolean => value !== undefined;

export const propsToWire = (props: Props): JsonObject =>
  Object.fromEntries(
    Object.entries(props)
      .filter(([, value]) => isDefined(value))
      .map(([key, value]) => [key, toWire(value)]),
  );

/** A Struct message's properties; without a message, none. */
export const fromStruct = (message: { toJavaScript(): unknown } | undefined): Props =>
  message === undefined ? {} : propsFromWire(message.toJavaScript() as JsonObject);

export const toStruct = (props: Props): Struct => Struct.fromJavaScript(propsToWire(props));
