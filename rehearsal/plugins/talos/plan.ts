/** A plan as Terraform's plugin framework makes it: configuration over state, and what the provider fills in unknown. */
import { isGiven } from "../framework/bridged-schema";
import { Secret, Unknown, type Props, type Value } from "../framework/types";
import { isProps, plain, same, unknown } from "../framework/values";
import type { Attribute, Attributes } from "./schemas";

/** Values without null ones, at every depth: absent and null are the same to the bridge. */
export const withoutNulls = (props: Props): Props =>
  Object.fromEntries(
    Object.entries(props)
      .filter(([, value]) => isGiven(value))
      .map(([key, value]) => [key, isProps(value) ? withoutNulls(value) : value]),
  );

const withDefaults = (attribute: Attribute, value: Value): Value => {
  const { fields } = attribute;
  if (fields === undefined || !isProps(value)) return value;
  const filled = Object.entries(fields).flatMap(([key, { default: fallback }]) =>
    isGiven(value[key]) || fallback === undefined ? [] : [[key, fallback] as const],
  );
  return { ...value, ...Object.fromEntries(filled) };
};

/** What the configuration and the state say, before anything is marked unknown. */
function proposed(attribute: Attribute, config: Value | undefined, prior: Value | undefined): Value {
  if (isGiven(config)) return withDefaults(attribute, config);
  if (attribute.default !== undefined) return attribute.default;
  return attribute.computed !== undefined && isGiven(prior) ? prior : null;
}

function settle(
  attribute: Attribute,
  value: Value,
  sides: { config: Value | undefined; prior: Value | undefined },
) {
  if (isGiven(sides.config) || attribute.computed === undefined) return value;
  return attribute.keepsState === true && isGiven(sides.prior) ? sides.prior : unknown;
}

/** The planned properties, nulls left out; without a prior state, those of a creation. */
export function plan(attributes: Attributes, config: Props, prior?: Props): Props {
  const first = Object.fromEntries(
    Object.entries(attributes).map(([key, attribute]) => [
      key,
      proposed(attribute, config[key], prior?.[key]),
    ]),
  );
  const changes =
    prior === undefined || Object.keys(attributes).some((key) => differs(first[key], prior[key]));
  if (!changes) return withoutNulls(first);
  return withoutNulls(
    Object.fromEntries(
      Object.entries(attributes).map(([key, attribute]) => [
        key,
        settle(attribute, first[key] ?? null, { config: config[key], prior: prior?.[key] }),
      ]),
    ),
  );
}

/** Whether two values differ; null and absent are the same, an unknown differs from everything. */
export const differs = (left: Value | undefined, right: Value | undefined): boolean =>
  !same(normal(left), normal(right));

const normal = (value: Value | undefined): Value => {
  const bare = plain(value ?? null);
  return isProps(bare) ? withoutNulls(bare) : bare;
};

/** The schema's secret leaves wrapped, as the bridge answers them: unknown ones only among checked inputs. */
export function markSecrets(attributes: Attributes, props: Props, unknownToo = false): Props {
  const marked = (attribute: Attribute | undefined, value: Value): Value => {
    if (attribute === undefined || !isGiven(value) || value instanceof Secret) return value;
    if (value instanceof Unknown && !unknownToo) return value;
    if (attribute.secret === true) return new Secret(plain(value));
    return attribute.fields !== undefined && isProps(value)
      ? markSecrets(attribute.fields, value, unknownToo)
      : value;
  };
  return Object.fromEntries(
    Object.entries(props).map(([key, value]) => [key, marked(attributes[key], value)]),
  );
}

/** Planned values that are known; an update's or creation's starting point. */
export const known = (props: Props): Props =>
  Object.fromEntries(Object.entries(props).filter(([, value]) => !(value instanceof Unknown)));
