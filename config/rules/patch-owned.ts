import { show } from "../../base/show";
import type { Fault } from "../../base/faults";
import { deletedAbove, deletionsIn, valueAt } from "../../base/paths";
import type { Mapping } from "../../base/paths";
import type { Rule } from "./input";
import { neededPaths, owned, ownedKinds } from "./owned";
import type { Owned } from "./owned";

const ownedKeysAreLeftAlone: Rule = ({ draft, patches }) => {
  const here = owned.filter(({ platform }) => platform === undefined || platform === draft.platform);
  return patches.flatMap(({ source, documents }) =>
    documents
      .filter(isMachineConfig)
      .flatMap((document) => here.flatMap((own) => settings(own, document, source))),
  );
};

function settings({ paths, rule, repair }: Owned, document: Mapping, source: string): Fault[] {
  return paths
    .filter((path) => valueAt(document, path) !== undefined && deletedAbove(document, path) === undefined)
    .map((path) => ({ key: source, value: path, rule: `is set by this program: ${rule}`, repair }));
}

/** One fault a `$patch: delete`, however much it takes away. */
const neededKeysAreKept: Rule = ({ draft, patches }) =>
  patches.flatMap(({ source, documents }) =>
    documents.filter(isMachineConfig).flatMap((document) =>
      deletionsIn(document).flatMap((path): Fault[] => {
        if (path === `${cni}.flannel` && choosesOtherCni(document)) return [];
        const value = `$patch: delete of ${path === "" ? "the document" : path}`;
        const lost = neededPaths(draft.platform).filter(
          (needed) => isAbove(path, needed) || isAbove(needed, path),
        );
        if (lost.length === 0) return [];
        const rule = `takes away what every node needs: ${listed(lost)}`;
        return [{ key: source, value, rule, repair: "remove it, or delete only keys further down" }];
      }),
    ),
  );

const cni = "cluster.network.cni";

/** Then flannel's settings may be deleted, and must be. */
function choosesOtherCni(document: Mapping): boolean {
  const name = valueAt(document, `${cni}.name`);
  return typeof name === "string" && name !== "flannel";
}

const otherCniDropsFlannel: Rule = ({ draft, patches }) =>
  patches.flatMap(({ source, documents }) =>
    documents
      .filter((document) => draft.platform === "hetzner" && choosesOtherCni(document))
      .filter((document) => deletedAbove(document, `${cni}.flannel`) === undefined)
      .map((document) => ({
        key: source,
        value: `${cni}.name ${show(valueAt(document, `${cni}.name`))}`,
        rule: "Talos refuses it beside the flannel arguments that this program sets",
        repair: `add flannel: {$patch: delete} beside the name`,
      })),
  );

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 4).join(", ");
  return paths.length > 4 ? `${shown} and ${paths.length - 4} more` : shown;
}

function isMachineConfig({ kind }: Mapping): boolean {
  return kind === undefined;
}

function isAbove(outer: string, inner: string): boolean {
  return outer === "" || inner === outer || inner.startsWith(`${outer}.`);
}

const ownedDocumentsAreLeftAlone: Rule = ({ draft, patches }) =>
  patches.flatMap(({ source, documents }) =>
    documents.flatMap(({ kind, $patch }): Fault[] => {
      const value = `kind ${String(kind)}`;
      const own = typeof kind === "string" && Object.hasOwn(ownedKinds, kind) ? ownedKinds[kind] : undefined;
      if (own !== undefined && (own.platform === undefined || own.platform === draft.platform)) {
        return [{ key: source, value, rule: `is not for patches: ${own.rule}`, repair: own.repair }];
      }
      if (kind === undefined || $patch !== "delete") return [];
      const rule =
        "deletes a whole document: one that this program needs, one of your own, or none, which Talos refuses";
      return [{ key: source, value: `$patch: delete of ${value}`, rule, repair: "remove it" }];
    }),
  );

export const patchOwnedRules = {
  ownedKeysAreLeftAlone,
  neededKeysAreKept,
  otherCniDropsFlannel,
  ownedDocumentsAreLeftAlone,
};
