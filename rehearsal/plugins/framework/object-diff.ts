/** The diff of native plugins: new inputs against old ones, path by path, without a schema. */
import { Unknown, type DiffKind, type Props, type Value } from "./types";
import { isList, isProps, plain, same } from "./values";

export type DetailedDiff = Record<string, { readonly kind: DiffKind }>;

const step = (path: string, key: string): string => {
  const simple = /^[A-Za-z_$][\w$]*$/.test(key);
  if (!simple) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
};

function walk(path: string, before: Value | undefined, after: Value | undefined): [string, DiffKind][] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [[path, "ADD"]];
  if (after === undefined) return [[path, "DELETE"]];
  const [left, right] = [plain(before), plain(after)];
  if (isList(left) && isList(right)) {
    return [...Array(Math.max(left.length, right.length)).keys()].flatMap((index) =>
      walk(`${path}[${index}]`, left[index], right[index]),
    );
  }
  if (isProps(left) && isProps(right)) return walkKeys(path, left, right);
  return !(right instanceof Unknown) && same(left, right) ? [] : [[path, "UPDATE"]];
}

const walkKeys = (path: string, before: Props, after: Props): [string, DiffKind][] =>
  Object.keys({ ...before, ...after }).flatMap((key) => walk(step(path, key), before[key], after[key]));

const isUnder = (path: string, prefix: string): boolean =>
  path === prefix || path.startsWith(`${prefix}.`) || path.startsWith(`${prefix}[`);

/** Paths such as `environment.V` and `triggers[0]`; secrets are compared by content, an unknown is a change. */
export function objectDiff(before: Props, after: Props, ignoreChanges: readonly string[] = []): DetailedDiff {
  const changes = walkKeys("", before, after).filter(
    ([path]) => !ignoreChanges.some((prefix) => isUnder(path, prefix)),
  );
  return Object.fromEntries(changes.map(([path, kind]) => [path, { kind }]));
}

/** The top-level names of the changed paths. */
export const topLevelNames = (detailed: DetailedDiff): string[] =>
  [...new Set(Object.keys(detailed).map((path) => path.split(/[.[]/)[0] ?? path))].sort();
