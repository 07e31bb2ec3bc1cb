import type { Fault } from "../errors";
import { deletedAbove, valueAt } from "./documents";
import type { Mapping } from "./documents";
import type { Rule } from "./input";
import { owned, ownedKinds } from "./owned";

const ownedKeysAreLeftAlone: Rule = ({ draft, patches }) => {
  const here = owned.filter(({ platform }) => platform === undefined || platform === draft.platform);
  return patches.flatMap(({ source, documents }) =>
    documents
      .filter(({ kind }) => kind === undefined)
      .flatMap((document) =>
        here.flatMap(({ paths, rule, repair }) =>
          touched(document, paths).map((path): Fault => ({
            key: source,
            value: path,
            rule: `is set by this program: ${rule}`,
            repair,
          })),
        ),
      ),
  );
};

/** The paths a document sets, and what it deletes of them or above them. */
function touched(document: Mapping, paths: readonly string[]): string[] {
  const hits = paths.flatMap((path) => {
    const deleted = deletedAbove(document, path);
    if (deleted !== undefined) return [`$patch: delete of ${deleted}`];
    return valueAt(document, path) === undefined ? [] : [path];
  });
  return [...new Set(hits)];
}

const ownedDocumentsAreLeftAlone: Rule = ({ draft, patches }) =>
  patches.flatMap(({ source, documents }) =>
    documents.flatMap(({ kind }): Fault[] => {
      const own = typeof kind === "string" && Object.hasOwn(ownedKinds, kind) ? ownedKinds[kind] : undefined;
      if (own === undefined || (own.platform !== undefined && own.platform !== draft.platform)) return [];
      return [
        {
          key: source,
          value: `kind ${String(kind)}`,
          rule: `is not for patches: ${own.rule}`,
          repair: own.repair,
        },
      ];
    }),
  );

export const patchOwnedRules = { ownedKeysAreLeftAlone, ownedDocumentsAreLeftAlone };
