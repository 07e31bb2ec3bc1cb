/**
 * Which changes of a config a node takes while it runs, and which need a reboot. Paths only, never values. Pure.
 * From siderolabs/talos v1.13.9, internal/app/machined/pkg/runtime/v1alpha1/v1alpha1_runtime.go, CanApplyImmediate.
 */
import { isDeepStrictEqual } from "node:util";

import { isMappingValue } from "../base/paths";
import type { Mapping } from "../base/paths";
import type { Patch } from "../agreed/types";
import { missingIn } from "../config/rules/merge";
import type { Documents } from "../config/rules/merge";
import { isList, isMapping, shapeBelow, shapeOfDocument } from "../config/talos-keys";
import type { Shape } from "../config/talos-keys";

/** `accepted`: taken without a reboot, and in force only after one. */
type Effect = "live" | "accepted" | "reboot";

export interface Change {
  /** `machine.env.http_proxy`; a list is one path; of another document `LinkConfig eth1: mtu`. */
  readonly path: string;
  readonly effect: Effect;
}

/** Everything else of the machine config needs a reboot, keys of newer versions too; so do `version` and `persist`. */
export const livePaths: readonly string[] = [
  "debug",
  "cluster",
  "machine.ca",
  "machine.acceptedCAs",
  "machine.time",
  "machine.certSANs",
  "machine.install",
  "machine.network",
  "machine.sysfs",
  "machine.sysctls",
  "machine.logging",
  "machine.controlPlane",
  "machine.kubelet",
  "machine.kernel",
  "machine.registries",
  "machine.pods",
  "machine.seccompProfiles",
  "machine.nodeAnnotations",
  "machine.nodeLabels",
  "machine.nodeTaints",
  "machine.features.kubernetesTalosAPIAccess",
  "machine.features.kubePrism",
  "machine.features.hostDNS",
  "machine.features.imageCache",
  "machine.features.nodeAddressSortAlgorithm",
];

/** containerd reads a registry's credentials once. */
const accepted = /^machine\.registries\.config\..+\.auth(\.|$)/;

/** What differs between two rendered configs, each as its documents. */
export function changesBetween(before: readonly Mapping[], after: readonly Mapping[]): readonly Change[] {
  return differences(byId(before), byId(after));
}

/** What differs between the effects of two chains of patches on one and the same node. */
export function changesOfPatches(before: readonly Patch[], after: readonly Patch[]): readonly Change[] {
  return differences(merged(before), merged(after));
}

/** The paths for which a node would have to reboot. */
export const rebootPaths = (changes: readonly Change[]): readonly string[] =>
  changes.filter(({ effect }) => effect === "reboot").map(({ path }) => path);

type ById = ReadonlyMap<string, Mapping>;

function byId(documents: readonly Mapping[]): ById {
  const config: Documents = new Map();
  for (const document of documents) missingIn(config, document);
  return config;
}

/** What a patch deletes and no patch before it set comes from Talos or the program: it stays as a mark. */
function merged(patches: readonly Patch[]): ById {
  const config: Documents = new Map();
  for (const document of patches.flatMap(({ documents }) => documents)) {
    for (const { keys, insideAnItem } of missingIn(config, document))
      if (!insideAnItem) mark(config, idOf(document), keys);
  }
  return config;
}

function mark(config: Documents, id: string, keys: readonly string[]): void {
  let holder: Record<string, unknown> = config.get(id) ?? {};
  config.set(id, holder);
  for (const key of keys.slice(0, -1)) {
    const inner = holder[key];
    const next: Record<string, unknown> = isMappingValue(inner) ? inner : {};
    holder[key] = next;
    holder = next;
  }
  holder[keys.at(-1) ?? ""] = { $patch: "delete" };
}

function idOf({ kind, name }: Mapping): string {
  if (typeof kind !== "string") return "";
  return typeof name === "string" ? `${kind} ${name}` : kind;
}

function differences(before: ById, after: ById): Change[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const [left, right] = [before.get(id), after.get(id)];
    if (id !== "" && (left === undefined || right === undefined))
      return [{ path: id, effect: "live" as const }];
    const paths = walk({ left, right, shape: shapeOfDocument(left ?? right ?? {}), path: "" });
    return paths.map((path): Change =>
      id === "" ? { path, effect: effectOf(path) } : { path: `${id}: ${path}`, effect: "live" },
    );
  });
}

interface Pair {
  readonly left: unknown;
  readonly right: unknown;
  readonly shape: Shape | undefined;
  readonly path: string;
}

function walk({ left, right, shape, path }: Pair): string[] {
  if (isNothing(left, shape) && isNothing(right, shape)) return [];
  if (isDeepStrictEqual(left, right)) return [];
  const [one, other] = [left ?? {}, right ?? {}];
  const bothThere = isMappingValue(one) && isMappingValue(other) && !isMark(one) && !isMark(other);
  if (!bothThere) return [path];
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const below = keys.flatMap((key) =>
    walk({
      left: Object.hasOwn(one, key) ? one[key] : undefined,
      right: Object.hasOwn(other, key) ? other[key] : undefined,
      shape: shapeBelow(shape, key),
      path: path === "" ? key : `${path}.${key}`,
    }),
  );
  // Empty, and there on one side only: that is another config, but for the sections that every config has.
  const isNew = (left === undefined || right === undefined) && !always.includes(path);
  return isNew && below.length === 0 ? [path] : below;
}

const always = ["", "machine", "machine.features", "cluster"];

const isMark = (value: Mapping): boolean => value["$patch"] === "delete";

/** Nothing, or what Talos leaves out when it writes a config: an empty list, an empty mapping of free keys. */
function isNothing(value: unknown, shape: Shape | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0 && isList(shape);
  return (
    isMappingValue(value) && Object.keys(value).length === 0 && isMapping(shape) && Object.hasOwn(shape, "*")
  );
}

function effectOf(path: string): Effect {
  if (accepted.test(path)) return "accepted";
  return livePaths.some((live) => path === live || path.startsWith(`${live}.`)) ? "live" : "reboot";
}
