import type { Fault } from "../../base/faults";
import { mayBeSecret, notShown, show } from "../../base/show";
import { distance, nearest } from "../../base/nearest";
import { encrypted } from "../raw";
import { documentKinds, isList, isMapping, isText, shapeBelow, shapeOfDocument } from "../talos-keys";
import type { Shape } from "../talos-keys";
import { isExact } from "../yaml";
import { isDeletion, isMappingValue } from "../../base/paths";
import type { Mapping } from "../../base/paths";
import type { Rule } from "./input";

const documentsAreKnown: Rule = ({ patches }) =>
  patches.flatMap(({ source, documents }) =>
    documents.flatMap((document) => documentFault(source, document)),
  );

function documentFault(source: string, document: Mapping): Fault[] {
  const { kind, apiVersion } = document;
  if ((kind === undefined && apiVersion === undefined) || [kind, apiVersion].includes(encrypted)) return [];
  if (kind === undefined || apiVersion === undefined) {
    const rule = "a config document has both apiVersion and kind";
    const repair = kind === undefined ? "add the kind" : "add apiVersion: v1alpha1";
    return [{ key: source, value: kind === undefined ? "apiVersion" : "kind", rule, repair }];
  }
  if (shapeOfDocument(document) !== undefined) {
    if (apiVersion === "v1alpha1") return [];
    const rule = "Talos' config documents are of the version v1alpha1";
    return [{ key: source, value: "apiVersion", rule, repair: "write apiVersion: v1alpha1" }];
  }
  const name = typeof kind === "string" ? kind : "(not a text)";
  const repair = suggestion(name, documentKinds);
  return [
    { key: source, value: `kind ${show(name)}`, rule: "is not a kind of config document of Talos", repair },
  ];
}

/** Talos refuses unknown keys too, but only when the config is made, and without a word on where they belong. */
const keysAreKnown: Rule = ({ patches }) =>
  patches.flatMap(({ source, documents }) =>
    documents.flatMap((document) => {
      const shape = shapeOfDocument(document);
      return shape === undefined ? [] : walk(source, { value: document, shape, path: "" });
    }),
  );

interface Step {
  readonly value: unknown;
  readonly shape: Shape | undefined;
  readonly path: string;
}

function walk(source: string, { value, shape, path }: Step): Fault[] {
  if (value === null || value === encrypted || isDeletion(value)) return [];
  if (typeof value === "number" && !isExact(value)) return [digitsFault(source, path)];
  if (shape === undefined || shape === 0) return [];
  if (isText(shape)) return walkText(source, { value, shape, path });
  if (Array.isArray(value)) {
    if (!isList(shape)) return [kindFault(source, path, "a mapping")];
    return value.flatMap((item: unknown, index) =>
      walk(source, { value: item, shape: shape[0], path: `${path}[${index}]` }),
    );
  }
  if (!isMappingValue(value)) return [kindFault(source, path, isList(shape) ? "a list" : "a mapping")];
  if (isList(shape)) return [kindFault(source, path, "a list")];
  return Object.entries(value).flatMap(([key, item]) => {
    const shown = mayBeSecret(key) ? notShown : key;
    const below = path === "" ? shown : `${path}.${shown}`;
    if (key === "$patch") return item === "delete" || item === encrypted ? [] : [patchFault(source, below)];
    const inner = shapeBelow(shape, key);
    return inner === undefined
      ? [unknownKey({ source, path: below, key, shape })]
      : walk(source, { value: item, shape: inner, path: below });
  });
}

/** Numbers and flags have become text by now where they were written plainly. */
function walkText(source: string, { value, shape, path }: Step): Fault[] {
  if (typeof value !== "object") return [];
  if (shape === "a" && Array.isArray(value))
    return value.flatMap((item: unknown, index) =>
      walk(source, { value: item, shape: "s", path: `${path}[${index}]` }),
    );
  const what = shape === "a" ? "a text or a list of texts" : "a text";
  const rule = `Talos takes ${what} here, and this is ${Array.isArray(value) ? "a list" : "a mapping"}`;
  const repair = /^machine\.sysc?(tl|f)s\./.test(path)
    ? "write the whole name as one key, such as net.core.somaxconn: VALUE"
    : "put it in quotes, or write its lines under a `|`";
  return [{ key: source, value: path, rule, repair }];
}

function digitsFault(source: string, path: string): Fault {
  const rule = "is a number too large to be kept to its last digit";
  return { key: source, value: path, rule, repair: "put it in quotes" };
}

function kindFault(source: string, path: string, what: string): Fault {
  return {
    key: source,
    value: path,
    rule: `Talos takes ${what} here`,
    repair: "correct the indentation or the dashes",
  };
}

function patchFault(source: string, path: string): Fault {
  return {
    key: source,
    value: path,
    rule: "$patch knows one word, delete",
    repair: "write $patch: delete, or remove the key",
  };
}

function unknownKey({
  source,
  path,
  key,
  shape,
}: {
  source: string;
  path: string;
  key: string;
  shape: Shape;
}): Fault {
  const known = isMapping(shape) ? Object.keys(shape).filter((name) => name !== "*") : [];
  const place = places()
    .get(key)
    ?.find((candidate) => candidate !== path);
  const kinds = documentKinds.filter((kind) => shapeBelow(shapeOfDocument({ kind }), key) !== undefined);
  const elsewhere = place ?? (kinds.length === 0 ? undefined : `a document of kind ${listed(kinds)}`);
  const repair =
    near(key, known) === undefined && elsewhere !== undefined
      ? `it belongs ${place === undefined ? "into" : "at"} ${elsewhere}`
      : suggestion(key, known);
  return { key: source, value: path, rule: "is not a key of Talos' machine config", repair };
}

const listed = (names: readonly string[]): string => names.slice(0, 4).join(" or ");

/** A name is near when a third of it would have to change at most. */
function near(written: string, known: readonly string[]): string | undefined {
  const name = nearest(written, known);
  if (name === undefined) return undefined;
  return distance(written.toLowerCase(), name.toLowerCase()) <= Math.max(1, Math.floor(name.length / 3))
    ? name
    : undefined;
}

const SHOWN = 12;

function suggestion(written: string, known: readonly string[]): string {
  const name = near(written, known);
  if (name !== undefined) return `did you mean ${name}?`;
  const more = known.length > SHOWN ? ` and ${known.length - SHOWN} more` : "";
  return known.length === 0 ? "remove it" : `known here: ${known.slice(0, SHOWN).join(", ")}${more}`;
}

let index: ReadonlyMap<string, readonly string[]> | undefined;

/** The places of every key in the machine config outside lists, nearest to the root first; made once. */
function places(): ReadonlyMap<string, readonly string[]> {
  index ??= indexed();
  return index;
}

function indexed(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  let level: [string, Shape | undefined][] = [["", shapeOfDocument({})]];
  while (level.length > 0) {
    level = level.flatMap(([path, shape]) =>
      isMapping(shape)
        ? Object.entries(shape).map(([name, inner]): [string, Shape] => [
            path === "" ? name : `${path}.${name}`,
            inner,
          ])
        : [],
    );
    for (const [path] of level) {
      const name = path.split(".").at(-1) ?? "";
      found.set(name, [...(found.get(name) ?? []), path]);
    }
  }
  return found;
}

export const patchKeyRules = { documentsAreKnown, keysAreKnown };
