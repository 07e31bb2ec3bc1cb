/** The one walker of plain documents, by dotted paths (`machine.install.image`) or, where a key holds a dot, by its parts. */
export type Mapping = Readonly<Record<string, unknown>>;

export function isMappingValue(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path, undefined when nothing is there. Only a mapping's own keys count. */
export function valueAt(document: unknown, path: string | readonly string[]): unknown {
  const keys = typeof path === "string" ? path.split(".") : path;
  return keys.reduce<unknown>(
    (value, key) => (isMappingValue(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    document,
  );
}

/** Whether a value is the mark that takes its key away in a strategic merge. */
export const isDeletion = (value: unknown): boolean => isMappingValue(value) && value["$patch"] === "delete";

/** Where a `$patch: delete` on the way to a path removes it: the path of what is deleted. */
export function deletedAbove(document: Mapping, path: string): string | undefined {
  const keys = path.split(".");
  const prefixes = keys.map((_, index) => keys.slice(0, index + 1).join("."));
  return prefixes.find((prefix) => {
    return isDeletion(valueAt(document, prefix));
  });
}

/** The paths that a document deletes, "" for the document itself; not inside lists, whose items are matched by Talos. */
export function deletionsIn(value: unknown, path = ""): string[] {
  if (!isMappingValue(value)) return [];
  if (isDeletion(value)) return [path];
  return Object.entries(value).flatMap(([key, item]) =>
    deletionsIn(item, path === "" ? key : `${path}.${key}`),
  );
}

/** Every list in a document, by the path of its key. */
export function listsIn(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return [path];
  if (!isMappingValue(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => listsIn(item, path === "" ? key : `${path}.${key}`));
}

/** What is left to merge once the deletions are done; a mapping that held nothing else goes with them. */
export function withoutDeletions(value: unknown): unknown {
  if (isDeletion(value)) return undefined;
  if (Array.isArray(value)) {
    const left = value.map(withoutDeletions).filter((item) => item !== undefined);
    return left.length === 0 && value.length > 0 ? undefined : left;
  }
  if (!isMappingValue(value)) return value;
  const entries = Object.entries(value);
  const left = entries
    .map(([key, item]) => [key, withoutDeletions(item)] as const)
    .filter(([, item]) => item !== undefined);
  return left.length === 0 && entries.length > 0 ? undefined : Object.fromEntries(left);
}
