import type { Draft } from "./draft";
import { encryptedFault } from "./draft";
import { mayBeSecret, show } from "../base/show";
import type { Fault, Note } from "../base/faults";
import { encrypted } from "./raw";
import { NoRegularFile, whyUnreadable } from "../base/text";
import { YamlError } from "../base/yaml";
import { shapeOfDocument } from "./talos-keys";
import type { Patch } from "./types";
import { readDocuments, textWhereTalosWantsIt } from "./yaml";

/** Where a patch was listed. A `node` patch carries the node's name. */
type PatchScope =
  | { readonly kind: "all" | "controlPlanes" | "workers" }
  | { readonly kind: "pool"; readonly pool: string }
  | { readonly kind: "node"; readonly node: string };

export interface LoadedPatch extends Patch {
  /** `patches.workers[0]`: the key alone. */
  readonly key: string;
  readonly file?: string;
  readonly scope: PatchScope;
}

interface Entry {
  readonly key: string;
  readonly value: unknown;
  readonly scope: PatchScope;
}

export interface ReadPatches {
  readonly patches: readonly LoadedPatch[];
  readonly faults: readonly Fault[];
  readonly notes: readonly Note[];
}

type Mapping = Readonly<Record<string, unknown>>;

/** Reads every patch the draft lists; what cannot be a strategic-merge patch becomes a fault. */
export function loadPatches(draft: Draft, readText: (path: string) => string): ReadPatches {
  const results = entriesOf(draft).map((entry) => loadPatch(entry, readText));
  return {
    patches: results.flatMap((result) => ("patch" in result ? [result.patch] : [])),
    faults: results.flatMap((result) => ("faults" in result ? result.faults : [])),
    notes: results.flatMap((result) => ("note" in result ? [result.note] : [])),
  };
}

function entriesOf(draft: Draft): Entry[] {
  const { all = [], controlPlanes = [], workers = [], nodes = {} } = draft.patches ?? {};
  const list = (values: readonly unknown[], key: string, scope: PatchScope) =>
    values.map((value, index) => ({ key: `${key}[${index}]`, value, scope }));
  return [
    ...list(all, "patches.all", { kind: "all" }),
    ...list(controlPlanes, "patches.controlPlanes", { kind: "controlPlanes" }),
    ...list(workers, "patches.workers", { kind: "workers" }),
    ...draft.pools.flatMap((pool) =>
      list(pool.patches ?? [], `${pool.key}.patches`, { kind: "pool", pool: pool.name }),
    ),
    ...Object.entries(nodes).flatMap(([node, values]) =>
      list(values, `patches.nodes.${node}`, { kind: "node", node }),
    ),
  ];
}

type Loaded =
  { readonly patch: LoadedPatch } | { readonly faults: readonly Fault[] } | { readonly note: Note };

function loadPatch(entry: Entry, readText: (path: string) => string): Loaded {
  const { key, value, scope } = entry;
  if (value === encrypted) return { faults: [encryptedFault(key)] };
  if (typeof value === "string") return loadFile({ key, value, scope }, readText);
  if (Array.isArray(value) && value.length > 0) return { faults: [listFault(key, value)] };
  if (typeof value !== "object" || value === null) {
    const rule = "a patch is a file's path or an object";
    return {
      faults: [{ key, value: show(value), rule, repair: "write one of the two, or remove the entry" }],
    };
  }
  const documents = [textWhereTalosWantsIt(value, shapeOfDocument(value as Mapping))];
  return checked({ key, scope, source: key }, documents);
}

function loadFile(entry: Entry & { readonly value: string }, readText: (path: string) => string): Loaded {
  const { key, value: path, scope } = entry;
  const refused = refuseText(path);
  if (refused !== undefined) return { faults: [{ key, value: shorten(path), ...refused }] };
  const source = `${key} (${path})`;
  try {
    return checked({ key, scope, source, file: path }, readDocuments(readText(path)));
  } catch (error) {
    if (error instanceof YamlError) {
      const rule = `is not YAML: line ${error.line}: ${error.message}`;
      return { faults: [{ key, value: show(path), rule, repair: "correct that line" }] };
    }
    if (error instanceof NoRegularFile) return { faults: [noFileFault(key, path, error)] };
    const rule = `is neither an existing file nor an object (${whyUnreadable(error)})`;
    return {
      faults: [
        {
          key,
          value: show(path),
          rule,
          repair: "give a path relative to Pulumi.yaml, or write the patch as an object",
        },
      ],
    };
  }
}

/** A reader of it could wait for ever. */
export const noFileFault = (key: string, path: string, { what }: NoRegularFile): Fault => ({
  key,
  value: show(path),
  rule: `is ${what} and no regular file`,
  repair: "write a file",
});

/** Texts that Talos or its provider would take for something else than this program does. */
function refuseText(text: string): Pick<Fault, "rule" | "repair"> | undefined {
  if (text.trim() === "")
    return { rule: "an empty text is no patch", repair: "give a file's path, or remove the entry" };
  if (text.startsWith("@")) {
    return {
      rule: "a leading @ is talosctl's way to name a file",
      repair: `write ${show(text.slice(1))} without it`,
    };
  }
  if (/[\n{]|: /.test(text)) {
    const rule = "is the text of a patch where the path of a file is expected";
    return { rule, repair: "remove the quotes or the `|` so that it is an object, or put it into a file" };
  }
  return undefined;
}

function shorten(text: string): string {
  return text.trim() === "" ? '""' : /[\n{]|: /.test(text) ? "(a text, not shown)" : show(text);
}

function checked(origin: Omit<LoadedPatch, "documents">, values: readonly unknown[]): Loaded {
  const { key, file, source } = origin;
  const documents = values.filter((value) => !isEmpty(value) && !saysNothing(value));
  if (documents.length === 0 && file !== undefined) {
    const note = "holds no keys (it is empty, or all of it is a comment): nothing is merged";
    return { note: { key, value: file, note } };
  }
  if (documents.length === 0) {
    const repair = "write `machine:` or `cluster:` keys into it, or take it off the list";
    return { faults: [{ key, value: "(empty)", rule: "the patch is empty", repair }] };
  }
  const faults = documents.flatMap((document) => notAMapping(document, source));
  if (faults.length > 0) return { faults };
  return { patch: { ...origin, documents: documents as Mapping[] } };
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || (typeof value === "object" && Object.keys(value).length === 0)
  );
}

/** `machine:` or `cluster:` with nothing below: merged, it changes nothing. */
function saysNothing(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.entries(value).every(([key, item]) => ["machine", "cluster"].includes(key) && isEmpty(item))
  );
}

function notAMapping(document: unknown, source: string): Fault[] {
  if (Array.isArray(document)) return [listFault(source, document)];
  if (typeof document !== "object" || document === null) {
    const repair = "write `machine:` or `cluster:` keys with their values under them";
    return [{ key: source, value: "(a text, not shown)", rule: "a patch is a mapping", repair }];
  }
  const operation = document as Mapping;
  return typeof operation["op"] === "string" && typeof operation["path"] === "string"
    ? [jsonPatchFault(source, "(an operation)", [document])]
    : [];
}

/** RFC 6902 operations do not work on configs of several documents; each is shown in strategic-merge form. */
function jsonPatchFault(key: string, value: string, operations: readonly unknown[]): Fault {
  const forms = operations.flatMap((operation) => strategicForm(operation));
  const repair =
    forms.length === 0 ? "write an object of `machine:` or `cluster:` keys" : `write ${forms.join(" and ")}`;
  const rule = "is a JSON patch (RFC 6902), and only strategic-merge patches are taken";
  return { key, value, rule, repair };
}

function listFault(key: string, items: readonly unknown[]): Fault {
  const value = "(a list)";
  if (items.some((item) => isObject(item) && "op" in item)) return jsonPatchFault(key, value, items);
  const repair = "remove the `- `, and list each patch of several by itself";
  return { key, value, rule: "is a list, and a patch is a mapping", repair };
}

function isObject(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null;
}

function strategicForm(operation: unknown): string[] {
  const { op, path } = (operation ?? {}) as { op?: unknown; path?: unknown };
  if (typeof path !== "string" || !path.startsWith("/") || mayBeSecret(path)) return [];
  const keys = path
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .filter((part) => !/^(\d+|-)$/.test(part));
  const leaf = op === "remove" ? "{$patch: delete}" : "VALUE";
  return [
    keys.reduceRight(
      (inner, part, index) => (index === 0 ? `${part}: ${inner}` : `{${part}: ${inner}}`),
      leaf,
    ),
  ];
}
