/** Walking patch documents by dotted paths, `machine.install.image`. */
export type Mapping = Readonly<Record<string, unknown>>;

export function isMappingValue(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path, undefined when nothing is there. */
export function valueAt(document: Mapping, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, key) => (isMappingValue(value) ? value[key] : undefined), document);
}

/** Where a `$patch: delete` on the way to a path removes it: the path of what is deleted. */
export function deletedAbove(document: Mapping, path: string): string | undefined {
  const keys = path.split(".");
  const prefixes = keys.map((_, index) => keys.slice(0, index + 1).join("."));
  return prefixes.find((prefix) => {
    const value = valueAt(document, prefix);
    return isMappingValue(value) && value["$patch"] === "delete";
  });
}

/** The paths that a document deletes, "" for the document itself; not inside lists, whose items are matched by Talos. */
export function deletionsIn(value: unknown, path = ""): string[] {
  if (!isMappingValue(value)) return [];
  if (value["$patch"] === "delete") return [path];
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
