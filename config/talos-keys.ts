import keys from "./talos-keys.json";

/**
 * The keys of Talos' machine config: 0 for anything, "s" for text, "a" for an argument (a text or a list of them), a list
 * of one shape, or a mapping of keys (`*`: any). Read by reflection from the config types of siderolabs/talos v1.13.9 (pkg/machinery/config/types).
 */
export type Shape = 0 | "s" | "a" | readonly [Shape] | { readonly [key: string]: Shape };

const documents = keys as unknown as Readonly<Record<string, Shape>>;

/** The shape of a document: of `kind`, or of the machine config proper when it has none. */
export function shapeOfDocument(document: Readonly<Record<string, unknown>>): Shape | undefined {
  const kind = document["kind"];
  if (kind === undefined) return documents["v1alpha1"];
  return typeof kind === "string" && kind !== "v1alpha1" ? own(documents, kind) : undefined;
}

export const documentKinds: readonly string[] = Object.keys(documents).filter((kind) => kind !== "v1alpha1");

/** The shape one step below: a key of a mapping, or an item of a list. */
export function shapeBelow(shape: Shape | undefined, key: string | number): Shape | undefined {
  if (shape === "a") return typeof key === "number" ? "s" : undefined;
  if (isList(shape)) return shape[0];
  return isMapping(shape) ? (own(shape, String(key)) ?? own(shape, "*")) : undefined;
}

/** Only a mapping's own keys: `constructor` and `toString` are none of Talos'. */
function own(shapes: Readonly<Record<string, Shape>>, key: string): Shape | undefined {
  return Object.hasOwn(shapes, key) ? shapes[key] : undefined;
}

/** Whether a plain value here is a text. */
export const isText = (shape: Shape | undefined): boolean => shape === "s" || shape === "a";

export function isList(shape: Shape | undefined): shape is readonly [Shape] {
  return Array.isArray(shape);
}

export function isMapping(shape: Shape | undefined): shape is Readonly<Record<string, Shape>> {
  return typeof shape === "object" && !Array.isArray(shape);
}
