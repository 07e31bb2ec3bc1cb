/** Schemas of Terraform-bridged resources, and what the bridge makes of inputs: types, absent values, sets. */
import type { Props, Value } from "./types";
import { hasUnknown, isList, isProps, mapProps, same, unknown } from "./values";

export interface PropertySchema {
  /** `object` is Terraform's block of at most one, which the bridge flattens. */
  readonly type: "string" | "number" | "bool" | "list" | "set" | "map" | "object";
  readonly required?: boolean;
  /** `output`: never an input; `optional`: an input that the provider fills in when absent. */
  readonly computed?: "output" | "optional";
  /** Taken when absent. The SDK half writes it into the inputs, unless it is empty, false or zero. */
  readonly default?: Value;
  readonly forceNew?: boolean;
  readonly secret?: boolean;
  /** Fields of an object, or of each element of a list or set; without them the elements are scalars. */
  readonly fields?: Schema;
  /** Type of scalar elements; `string` when left out. */
  readonly element?: "string" | "number" | "bool";
  /** What outputs hold when nothing is given, where the usual rule does not fit. */
  readonly absent?: Value;
  /** The Terraform name in messages, where it is not the property's name in snake case. */
  readonly terraformName?: string;
  /** How a given value is kept in the state: some providers keep a hash of a long text. */
  readonly stored?: (value: Value) => Value;
  /** A sentence on what is wrong with a known value. */
  readonly validate?: (value: Value, terraformName: string) => string | undefined;
}

export type Schema = Readonly<Record<string, PropertySchema>>;

export interface ResourceSchema {
  readonly properties: Schema;
  /** Which half of the bridge serves it: `sdk` gives detailed diffs and wraps errors, `framework` does not. */
  readonly kind: "sdk" | "framework";
  /** The property that gets `<resource name>-<7 hex digits>` when absent. */
  readonly autonamed?: string;
  readonly deleteBeforeReplace?: boolean;
}

export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Null, "", 0, false and empty collections: Terraform's SDK does not tell them from nothing. */
export function isZero(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === "" || value === 0 || value === false) return true;
  if (isList(value)) return value.length === 0;
  return isProps(value) && Object.values(value).every(isZero);
}

export const isGiven = (value: Value | undefined): value is Value => value !== undefined && value !== null;

/** Numbers and booleans given as text, and the other way round, as the bridge converts them. */
function coerce(type: string, value: Value): Value {
  if (type === "number" && typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (type === "bool" && (value === "true" || value === "false")) return value === "true";
  if (type === "string" && (typeof value === "number" || typeof value === "boolean")) return String(value);
  return value;
}

/** Given inputs with their types set right at every depth, and nothing added. */
export function coerceProps(schema: Schema, given: Props): Props {
  return mapProps(given, (value, key) => {
    const property = schema[key];
    return property === undefined ? value : coerceValue(property, value);
  });
}

function coerceValue(property: PropertySchema, value: Value): Value {
  const { fields } = property;
  if (isList(value)) {
    return value.map((item) =>
      fields !== undefined && isProps(item)
        ? coerceProps(fields, item)
        : coerce(property.element ?? "string", item),
    );
  }
  if (!isProps(value)) return coerce(property.type, value);
  if (fields !== undefined) return coerceProps(fields, value);
  return mapProps(value, (item) => coerce(property.element ?? "string", item));
}

/** Every property of the schema: what is given, defaults, unknown where the provider will fill in. */
export function plan(schema: Schema, given: Props, inSet = false): Props {
  return Object.fromEntries(
    Object.entries(schema).map(([key, property]) => [key, planned(property, given[key], inSet)]),
  );
}

function planned(property: PropertySchema, given: Value | undefined, inSet: boolean): Value {
  if (!isGiven(given)) return whenAbsent(property, inSet);
  if (property.stored !== undefined && !hasUnknown(given)) return property.stored(given);
  const { fields, type } = property;
  if (isList(given)) {
    const items = given.map((item) =>
      fields !== undefined && isProps(item) ? plan(fields, item, type === "set") : item,
    );
    if (type !== "set") return items;
    return fields === undefined && hasUnknown(items) ? unknown : sortSet(items);
  }
  return fields !== undefined && isProps(given) ? plan(fields, given) : given;
}

function whenAbsent(property: PropertySchema, inSet: boolean): Value {
  if (property.absent !== undefined) return property.absent;
  if (property.computed !== undefined) return unknown;
  if (property.default !== undefined) return property.default;
  if (property.type === "set" || property.type === "list")
    return property.fields !== undefined || inSet ? [] : null;
  return inSet && property.type === "string" ? "" : null;
}

/**
 * What a create or update leaves in the state: as read back, but what was planned as nothing stays null where an empty
 * collection was read, and a set that differs only in nothing and empty stays as planned.
 */
export const settle = (planned: Props, found: Props): Props =>
  mapProps(found, (value, key) => settled(planned[key], value));

function settled(planned: Value | undefined, found: Value): Value {
  if (planned === null && (isList(found) || isProps(found)) && isZero(found)) return null;
  return isList(planned) && isList(found) && !hasUnknown(planned) && alike(planned, found) ? planned : found;
}

/** Equal when nothing, empty, zero and false are taken as one. */
function alike(left: Value | undefined, right: Value | undefined): boolean {
  if (isZero(left) && isZero(right)) return true;
  if (isList(left) && isList(right))
    return left.length === right.length && left.every((item, index) => alike(item, right[index]));
  if (isProps(left) && isProps(right))
    return Object.keys({ ...left, ...right }).every((key) => alike(left[key], right[key]));
  return same(left, right);
}

/** The order in which the bridge writes sets: by the first attribute, in the order of their names, that differs. */
export const sortSet = (items: readonly Value[]): Value[] => [...items].sort(compareValues);

function compareValues(left: Value | undefined, right: Value | undefined): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left === "string" && typeof right === "string") return left < right ? -1 : Number(left > right);
  if (!isProps(left) || !isProps(right))
    return isZero(left) ? (isZero(right) ? 0 : -1) : Number(isZero(right));
  for (const key of Object.keys({ ...left, ...right }).sort()) {
    if (same(left[key], right[key])) continue;
    const order = compareValues(left[key], right[key]);
    if (order !== 0) return order;
  }
  return 0;
}
