/** The inputs that the bridge reads back from a state: the shape of the old inputs with the state's values. */
import { defaultsKey } from "./bridged-check";
import { isZero, type PropertySchema, type ResourceSchema, type Schema } from "./bridged-schema";
import type { Props, Value } from "./types";
import { isList, isProps, list, same } from "./values";

/** Old inputs are empty for an import: then every property that is an input and holds something is taken. */
export function readInputs(resource: ResourceSchema, state: Props, oldInputs: Props): Props {
  const known = Object.keys(oldInputs).filter((key) => key !== defaultsKey && key in resource.properties);
  const keys =
    known.length > 0
      ? known
      : Object.keys(resource.properties).filter((key) => isImported(resource.properties[key], state[key]));
  const defaults = list(oldInputs, defaultsKey);
  return {
    ...Object.fromEntries(
      keys.map((key) => [key, narrow(resource.properties[key], state[key] ?? null, oldInputs[key])]),
    ),
    ...(defaults.length > 0 ? { [defaultsKey]: defaults } : {}),
  };
}

const isImported = (property: PropertySchema | undefined, value: Value | undefined): boolean =>
  property !== undefined &&
  property.computed !== "output" &&
  !isZero(value) &&
  !same(value, property.default);

function narrow(property: PropertySchema | undefined, value: Value, old: Value | undefined): Value {
  const fields = property?.fields;
  if (isList(value)) {
    const olds = isList(old) ? old : [];
    const items = value.map((item, index) =>
      fields !== undefined && isProps(item) ? narrowFields(fields, item, olds[index]) : item,
    );
    return property?.type === "set" ? inOldOrder(fields, value, olds) : items;
  }
  return fields !== undefined && isProps(value) ? narrowFields(fields, value, old) : value;
}

function narrowFields(fields: Schema, value: Props, old: Value | undefined): Props {
  const given = isProps(old) ? old : undefined;
  const keys = Object.keys(fields).filter((key) =>
    given === undefined ? isImported(fields[key], value[key]) : key in given,
  );
  return Object.fromEntries(keys.map((key) => [key, narrow(fields[key], value[key] ?? null, given?.[key])]));
}

/** A set comes back in the order in which it was given; new elements follow. */
function inOldOrder(fields: Schema | undefined, items: readonly Value[], olds: readonly Value[]): Value[] {
  const rest = [...items];
  const kept = olds.flatMap((old) => {
    const index = rest.findIndex((item) =>
      same(shaped(fields, item, old), isProps(old) ? withoutMark(old) : old),
    );
    return index < 0 ? [] : [shaped(fields, rest.splice(index, 1)[0] ?? null, old)];
  });
  return [...kept, ...rest.map((item) => shaped(fields, item, undefined))];
}

const withoutMark = (props: Props): Props =>
  Object.fromEntries(Object.entries(props).filter(([key]) => key !== defaultsKey));
const shaped = (fields: Schema | undefined, item: Value, old: Value | undefined): Value =>
  fields !== undefined && isProps(item) ? narrowFields(fields, item, old) : item;
