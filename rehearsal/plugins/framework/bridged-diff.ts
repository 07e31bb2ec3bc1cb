/** The bridge's Diff: new inputs against the state, property by property. */
import { defaultsKey } from "./bridged-check";
import { isGiven, isZero, type PropertySchema, type ResourceSchema, type Schema } from "./bridged-schema";
import { Unknown, type DiffKind, type DiffRequest, type DiffResponse, type Props, type Value } from "./types";
import { isList, isProps, list, same } from "./values";

type Kind = "ADD" | "DELETE" | "UPDATE";

interface Change {
  readonly path: string;
  readonly kind: Kind;
  readonly replace: boolean;
}

interface Compared {
  readonly property: PropertySchema;
  readonly path: string;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
  readonly replace: boolean;
}

const changed = ({ path, replace }: Compared, kind: Kind): Change[] => [{ path, kind, replace }];

/** Changes of one property; an absent input that the provider fills in changes nothing. */
function compare(compared: Compared): Change[] {
  const { property, before } = compared;
  const after = isGiven(compared.after) ? compared.after : property.default;
  if (!isGiven(after))
    return property.computed !== undefined || isZero(before) ? [] : changed(compared, "DELETE");
  if (after instanceof Unknown) return changed(compared, isZero(before) ? "ADD" : "UPDATE");
  if (property.stored !== undefined)
    return same(before, property.stored(after)) ? [] : changed(compared, isGiven(before) ? "UPDATE" : "ADD");
  if (isList(after) || isProps(after)) return compareCollection({ ...compared, after });
  if (same(before, after) || (isZero(after) && isZero(before))) return [];
  return changed(compared, isGiven(before) ? "UPDATE" : "ADD");
}

function compareCollection(compared: Compared): Change[] {
  const { property, before, after } = compared;
  if (isZero(before) && isZero(after)) return [];
  if (isZero(before)) return changed(compared, "ADD");
  if (isList(after) && after.length === 0) return changed(compared, "DELETE");
  if (isList(after) && isList(before))
    return property.type === "set"
      ? compareSet(compared, before, after)
      : compareList(compared, before, after);
  if (!isProps(after) || !isProps(before)) return changed(compared, "UPDATE");
  return property.fields === undefined
    ? compareMap(compared, before, after)
    : compareFields(property.fields, { before, after }, compared);
}

function compareFields(
  fields: Schema,
  sides: { readonly before: Props; readonly after: Props },
  around: { path: string; replace: boolean },
): Change[] {
  return Object.entries(fields).flatMap(([key, property]) =>
    compare({
      property,
      path: around.path === "" ? key : `${around.path}.${key}`,
      before: sides.before[key],
      after: sides.after[key],
      replace: around.replace || property.forceNew === true,
    }),
  );
}

const scalar: PropertySchema = { type: "string" };
const keyPath = (path: string, key: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;

const compareMap = ({ path, replace }: Compared, before: Props, after: Props): Change[] =>
  Object.keys({ ...before, ...after }).flatMap((key) =>
    compare({ property: scalar, path: keyPath(path, key), before: before[key], after: after[key], replace }),
  );

function compareItems(
  compared: Compared,
  items: { index: number; before: Value | undefined; after: Value | undefined },
): Change[] {
  const at = { ...compared, path: `${compared.path}[${items.index}]` };
  if (items.before === undefined) return changed(at, "ADD");
  if (items.after === undefined) return changed(at, "DELETE");
  const { fields } = compared.property;
  if (fields !== undefined && isProps(items.before) && isProps(items.after)) {
    return compareFields(fields, { before: items.before, after: items.after }, at);
  }
  return compare({ ...at, property: scalar, before: items.before, after: items.after });
}

const compareList = (compared: Compared, before: readonly Value[], after: readonly Value[]): Change[] =>
  [...Array(Math.max(before.length, after.length)).keys()].flatMap((index) =>
    compareItems(compared, { index, before: before[index], after: after[index] }),
  );

/** Elements that both sides hold are left out; what is left is paired by its place. */
function compareSet(compared: Compared, before: readonly Value[], after: readonly Value[]): Change[] {
  const removed = new Map(before.entries());
  const added = new Map<number, Value>();
  for (const [index, item] of after.entries()) {
    const twin = [...removed].find(
      ([, old]) => compareItems(compared, { index, before: old, after: item }).length === 0,
    );
    if (twin === undefined) added.set(index, item);
    else removed.delete(twin[0]);
  }
  return [...new Set([...removed.keys(), ...added.keys()])]
    .sort((left, right) => left - right)
    .flatMap((index) =>
      compareItems(compared, { index, before: removed.get(index), after: added.get(index) }),
    );
}

const topLevel = (path: string): string => path.split(/[.[]/)[0] ?? path;
const isIgnored = (path: string, ignored: readonly string[]): boolean =>
  ignored.some((prefix) => path === prefix || path.startsWith(`${prefix}.`) || path.startsWith(`${prefix}[`));
const unique = (names: readonly string[]): string[] => [...new Set(names)].sort();

/** A name that was given and stays would be taken while the old thing still has it. */
function keepsGivenName({ autonamed }: ResourceSchema, { olds, news }: DiffRequest): boolean {
  return (
    autonamed !== undefined &&
    same(olds[autonamed], news[autonamed]) &&
    !list(news, defaultsKey).includes(autonamed)
  );
}

const kindOf = ({ kind, replace }: Change): DiffKind => (replace ? `${kind}_REPLACE` : kind);

export function bridgedDiff(resource: ResourceSchema, request: DiffRequest): DiffResponse {
  const all = compareFields(
    resource.properties,
    { before: request.olds, after: request.news },
    { path: "", replace: false },
  );
  const changes = all.filter(({ path }) => !isIgnored(path, request.ignoreChanges));
  const replaces = unique(changes.filter(({ replace }) => replace).map(({ path }) => topLevel(path)));
  const detailed = resource.kind === "sdk";
  const lasting = Object.entries(resource.properties).filter(
    ([key, property]) => property.forceNew === true && !replaces.includes(key),
  );
  return {
    changes: changes.length === 0 ? "DIFF_NONE" : "DIFF_SOME",
    replaces,
    diffs: unique(changes.map(({ path }) => topLevel(path))),
    detailedDiff: detailed
      ? Object.fromEntries(changes.map((change) => [change.path, { kind: kindOf(change) }]))
      : {},
    deleteBeforeReplace:
      replaces.length > 0 && (resource.deleteBeforeReplace === true || keepsGivenName(resource, request)),
    stables: detailed ? unique(lasting.map(([key]) => key)) : [],
    hasDetailedDiff: detailed,
  };
}
