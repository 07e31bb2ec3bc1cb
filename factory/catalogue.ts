import type { Fault } from "../base/faults";
import { nearest } from "../base/nearest";
import { renamedExtension } from "./aliases";
import type { Schematic } from "./types";

/** What a factory offers for one Talos version, as it answers itself: there is no built-in list. */
export interface Catalogue {
  readonly talosVersion: string;
  readonly extensions: readonly string[];
  readonly overlays: readonly string[];
}

/** Extensions and overlay that the factory would miss at the first build, hours after it accepted the schematic. */
export function catalogueFaults({ overlay, customization }: Schematic, catalogue: Catalogue): Fault[] {
  const missing = customization.officialExtensions.flatMap((name, index) => {
    const names = [name, renamedExtension(name) ?? name];
    if (names.some((known) => catalogue.extensions.includes(known))) return [];
    return [
      unavailable(`customization.systemExtensions.officialExtensions[${index}]`, name, catalogue.extensions),
    ];
  });
  if (overlay.name !== "" && !catalogue.overlays.includes(overlay.name)) {
    missing.push(unavailable("overlay.name", overlay.name, catalogue.overlays));
  }
  const rule = `the factory has no such name for Talos ${catalogue.talosVersion}`;
  return missing.map((fault) => ({ ...fault, rule }));
}

function unavailable(key: string, value: string, known: readonly string[]): Omit<Fault, "rule"> {
  const prefixed = `siderolabs/${value}`;
  const suggestion = known.includes(prefixed) ? prefixed : nearest(value, known);
  const none =
    known.length === 0 ? "remove it: the factory offers none" : "remove it: none has a name like it";
  const repair = suggestion === undefined ? none : `did you mean ${suggestion}?`;
  return { key, value, repair };
}
