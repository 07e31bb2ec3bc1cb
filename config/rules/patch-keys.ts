import type { Fault } from "../../base/faults";
import { nearest } from "../../base/nearest";
import { encrypted } from "../raw";
import { documentKinds, isList, isMapping, shapeBelow, shapeOfDocument } from "../talos-keys";
import type { Shape } from "../talos-keys";
import { isMappingValue } from "../../base/paths";
import type { Mapping } from "../../base/paths";
import type { Rule } from "./input";

const documentsAreKnown: Rule = ({ patches }) =>
  patches.flatMap(({ source, documents }) =>
    documents.flatMap((document) => documentFault(source, document)),
  );

function documentFault(source: string, document: Mapping): Fault[] {
  const { kind, apiVersion } = document;
  if (kind === undefined && apiVersion === undefined) return [];
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
  const repair = `did you mean ${nearest(name, documentKinds) ?? "another one"}?`;
  return [{ key: source, value: `kind ${name}`, rule: "is not a kind of config document of Talos", repair }];
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
  if (value === null || value === encrypted || shape === undefined || shape === 0 || shape === "s") return [];
  if (Array.isArray(value)) {
    if (!isList(shape)) return [kindFault(source, path, "a mapping")];
    return value.flatMap((item: unknown, index) =>
      walk(source, { value: item, shape: shape[0], path: `${path}[${index}]` }),
    );
  }
  if (!isMappingValue(value)) return [kindFault(source, path, isList(shape) ? "a list" : "a mapping")];
  if (isList(shape)) return value["$patch"] === "delete" ? [] : [kindFault(source, path, "a list")];
  return Object.entries(value).flatMap(([key, item]) => {
    const below = path === "" ? key : `${path}.${key}`;
    if (key === "$patch") return item === "delete" ? [] : [patchFault(source, below)];
    const inner = shapeBelow(shape, key);
    return inner === undefined
      ? [unknownKey({ source, path: below, key, shape })]
      : walk(source, { value: item, shape: inner, path: below });
  });
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
  const known = isMapping(shape) ? Object.keys(shape) : [];
  const place = placesOf(key).find((candidate) => candidate !== path);
  const repair =
    place === undefined ? `did you mean ${nearest(key, known) ?? "another one"}?` : `it belongs at ${place}`;
  return { key: source, value: path, rule: "is not a key of Talos' machine config", repair };
}

/** The places of a key in the machine config outside lists, nearest to the root first. */
function placesOf(key: string): string[] {
  let level: [string, Shape | undefined][] = [["", shapeOfDocument({})]];
  const found: string[] = [];
  while (level.length > 0) {
    level = level.flatMap(([path, shape]) => {
      if (!isMapping(shape)) return [];
      return Object.entries(shape).map(([name, inner]): [string, Shape] => [
        path === "" ? name : `${path}.${name}`,
        inner,
      ]);
    });
    found.push(...level.filter(([path]) => path.split(".").at(-1) === key).map(([path]) => path));
  }
  return found;
}

export const patchKeyRules = { documentsAreKnown, keysAreKnown };
