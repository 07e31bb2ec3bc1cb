import { show } from "../../base/show";
import type { Fault } from "../../base/faults";
import { deletedAbove, deletionsIn, isMappingValue, valueAt } from "../../base/paths";
import type { Mapping } from "../../base/paths";
import { platformOf } from "../platforms/select";
import { encrypted } from "../raw";
import type { PlatformName } from "../types";
import type { Rule } from "./input";
import { hcloudToken, needed, owned, ownedKinds } from "./owned";
import type { Owned, OwnedParts } from "./owned";
import { vipsOf } from "./patch-interfaces";

const ofPlatform = (platform: PlatformName | undefined): OwnedParts =>
  platform === undefined ? { keys: [], needed: [], kinds: {}, documents: [] } : platformOf(platform).owned;

const neededOn = (platform: PlatformName | undefined): readonly string[] => [
  ...needed,
  ...ofPlatform(platform).needed,
];

const ownedKeysAreLeftAlone: Rule = ({ draft, patches }) => {
  const here = [...owned, ...ofPlatform(draft.platform).keys];
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
        const lost = neededOn(draft.platform).filter((key) => isAbove(path, key) || isAbove(key, path));
        if (lost.length === 0) return [];
        const rule = `takes away what every node needs: ${listed(lost)}`;
        return [{ key: source, value, rule, repair: "remove it, or delete only keys further down" }];
      }),
    ),
  );

/** Whether one of the rules here speaks of a deletion already. */
export function isOwnedDeletion(
  document: Mapping,
  keys: readonly string[],
  platform: PlatformName | undefined,
): boolean {
  const path = keys.join(".");
  if (!isMachineConfig(document) || (path === `${cni}.flannel` && choosesOtherCni(document))) return false;
  return neededOn(platform).some((key) => isAbove(path, key) || isAbove(key, path));
}

const cni = "cluster.network.cni";

/** Then flannel's settings may be deleted, and must be. */
function choosesOtherCni(document: Mapping): boolean {
  const name = valueAt(document, `${cni}.name`);
  return typeof name === "string" && name !== "flannel";
}

const cniIsKnown: Rule = ({ patches }) =>
  patches.flatMap(({ source, documents }) =>
    documents.filter(isMachineConfig).flatMap((document): Fault[] => {
      const name = valueAt(document, `${cni}.name`);
      if (typeof name !== "string" || ["flannel", "custom", "none", encrypted].includes(name)) return [];
      const rule = "Talos installs flannel, custom (manifests from urls) or none";
      const repair = `write none, and install ${show(name)} once the Kubernetes API answers`;
      return [{ key: source, value: `${cni}.name ${show(name)}`, rule, repair }];
    }),
  );

/** The older form of a kind that is refused: the same token. */
const noTokensInVips: Rule = ({ patches }) =>
  patches.flatMap(({ source, documents }) =>
    documents
      .flatMap((document) => vipsOf(document))
      .filter(({ vip }) => isMappingValue(vip) && isMappingValue(vip["hcloud"]))
      .map(({ path }) => ({
        key: source,
        value: `${path}.hcloud`,
        rule: `is not for patches: ${hcloudToken.rule}`,
        repair: hcloudToken.repair,
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
    documents.flatMap((document): Fault[] => {
      const { kind, $patch } = document;
      const value = `kind ${String(kind)}`;
      const kinds = { ...ownedKinds, ...ofPlatform(draft.platform).kinds };
      const own = typeof kind === "string" && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
      if (own !== undefined && own.when?.(document) !== false) {
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
  cniIsKnown,
  noTokensInVips,
  ownedDocumentsAreLeftAlone,
};
