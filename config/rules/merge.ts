/** Talos' strategic merge, as far as it decides what is there: deletions of a document first, then the rest of it. */
import { isDeletion, isMappingValue, withoutDeletions } from "../../base/paths";
import type { Mapping } from "../../base/paths";
import { isList, isMapping, shapeBelow, shapeOfDocument } from "../talos-keys";
import type { Shape } from "../talos-keys";

type Tree = Record<string, unknown>;

/** The documents of a config by kind and name; "" is the machine config proper. They are changed in place. */
export type Documents = Map<string, Tree>;

export interface MissingDeletion {
  readonly path: string;
  readonly keys: readonly string[];
  readonly insideAnItem: boolean;
}

/** Merges one document and says which of its deletions found nothing. */
export function missingIn(config: Documents, document: Mapping): MissingDeletion[] {
  const id = idOf(document);
  const target = config.get(id);
  // Whole documents are another rule's; the machine config itself stays, so that the rest is still judged.
  if (isDeletion(document)) {
    if (id !== "") config.delete(id);
    return [];
  }
  const missing = deletionsOf(document).flatMap((deletion): MissingDeletion[] => {
    const done =
      !deletion.insideAnItem &&
      target !== undefined &&
      remove({ target, deletion, shape: shapeOfDocument(document) });
    const path = deletion.keys.join(".").replace(/\.\[/g, "[");
    return done ? [] : [{ ...deletion, path: id === "" ? path : `${id.trim()}: ${path}` }];
  });
  mergeDocument(config, document);
  return missing;
}

export function mergeDocument(config: Documents, document: Mapping): void {
  const rest = withoutDeletions(document);
  const id = idOf(document);
  const target = config.get(id) ?? {};
  if (isMappingValue(rest)) mergeTree(target, rest);
  config.set(id, target);
}

function idOf({ kind, name }: Mapping): string {
  if (typeof kind !== "string") return "";
  return typeof name === "string" ? `${kind} ${name}` : kind;
}

interface Deletion {
  readonly keys: readonly string[];
  /** An item of a list is found by its first key and the value there. */
  readonly item?: readonly [string, unknown];
  readonly insideAnItem: boolean;
}

function deletionsOf(value: unknown, keys: readonly string[] = [], inList = false): Deletion[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => {
      if (!isDeletion(item)) return deletionsOf(item, [...keys, `[${index}]`], true);
      const first = Object.entries(item as Mapping).find(([key]) => key !== "$patch");
      return [
        {
          keys: [...keys, `[${index}]`],
          insideAnItem: inList,
          ...(first === undefined ? {} : { item: first }),
        },
      ];
    });
  }
  if (!isMappingValue(value)) return [];
  if (isDeletion(value)) return [{ keys, insideAnItem: inList }];
  return Object.entries(value).flatMap(([key, item]) => deletionsOf(item, [...keys, key], inList));
}

interface Removal {
  readonly target: Tree;
  readonly deletion: Deletion;
  readonly shape: Shape | undefined;
}

/** A field that Talos knows can be deleted wherever what holds it is there; a key of a free mapping must be there itself. */
function remove({ target, deletion: { keys, item }, shape }: Removal): boolean {
  const path = item === undefined ? keys : keys.slice(0, -1);
  const last = path.at(-1) ?? "";
  let holder: unknown = target;
  let known = shape;
  for (const key of path.slice(0, -1)) {
    if (!isMappingValue(holder) || !Object.hasOwn(holder, key)) return false;
    holder = holder[key];
    known = shapeBelow(known, key);
  }
  if (!isMappingValue(holder)) return false;
  if (item !== undefined) return removeItem(holder, { key: last, item, shape: shapeBelow(known, last) });
  const isField = isMapping(known) && !Object.hasOwn(known, "*");
  if (!isField && !Object.hasOwn(holder, last)) return false;
  Reflect.deleteProperty(holder, last);
  return true;
}

interface ItemOf {
  readonly key: string;
  readonly item: readonly [string, unknown];
  readonly shape: Shape | undefined;
}

/** Only lists of what Talos knows are searched. */
function removeItem(holder: Mapping, { key, item: [name, value], shape }: ItemOf): boolean {
  const items = holder[key];
  if (!Array.isArray(items) || !isList(shape) || !isMapping(shape[0])) return false;
  const at = items.findIndex((entry) => isMappingValue(entry) && entry[name] === value);
  if (at >= 0) items.splice(at, 1);
  return at >= 0;
}

/** Lists are joined, mappings merged, everything else is replaced; nothing (`~`) changes nothing. */
function mergeTree(target: Tree, source: Mapping): void {
  for (const [key, value] of Object.entries(source)) {
    if (value === null || value === undefined) continue;
    const before = Object.hasOwn(target, key) ? target[key] : undefined;
    if (isMappingValue(value)) {
      const inner: Tree = isMappingValue(before) ? before : {};
      mergeTree(inner, value);
      target[key] = inner;
    } else if (Array.isArray(value)) {
      if (Array.isArray(before)) before.push(...(structuredClone(value) as unknown[]));
      else target[key] = structuredClone(value) as unknown[];
    } else target[key] = value;
  }
}
