import { createHash } from "node:crypto";
import { compareKeys } from "./sort-keys";
import type { Dialect, OptionValue, Schematic } from "./types";
import { type Tree, writeTree } from "./write-tree";

/** The canonical text of a schematic as the factory releases of that dialect write it. */
export function writeSchematic(schematic: Schematic, dialect: Dialect): string {
  return writeTree(schematicTree(schematic), dialect);
}

/** A schematic's id: the sha256 of its canonical text, in lower-case hex. */
export function idOfText(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

type Entry = readonly [string, Tree];

/** Field order is part of the identity; everything but `customization` is left out when empty. */
function schematicTree({ owner, overlay, customization }: Schematic): ReadonlyMap<string, Tree> {
  const options = optionTree(overlay.options) as ReadonlyMap<string, Tree>;
  const emptyOverlay = overlay.image === "" && overlay.name === "" && options.size === 0;
  const overlayTree = new Map<string, Tree>([
    ["image", overlay.image],
    ["name", overlay.name],
    ...unless(options.size === 0, "options", options),
  ]);
  return new Map([
    ...unless(owner === "", "owner", owner),
    ...unless(emptyOverlay, "overlay", overlayTree),
    ["customization", customizationTree(customization)],
  ]);
}

function customizationTree(fields: Schematic["customization"]): ReadonlyMap<string, Tree> {
  const { enrollKeys, includeWellKnownCertificates: wellKnown } = fields.secureboot;
  const secureboot = new Map<string, Tree>([
    ...unless(enrollKeys === "", "enrollKeys", enrollKeys),
    ...unless(!wellKnown, "includeWellKnownCertificates", wellKnown),
  ]);
  const extensions = new Map<string, Tree>([["officialExtensions", fields.officialExtensions]]);
  return new Map<string, Tree>([
    ...unless(
      fields.embeddedMachineConfiguration === "",
      "embeddedMachineConfiguration",
      fields.embeddedMachineConfiguration,
    ),
    ...unless(fields.extraKernelArgs.length === 0, "extraKernelArgs", fields.extraKernelArgs),
    ...unless(fields.meta.length === 0, "meta", fields.meta.map(metaTree)),
    ...unless(fields.officialExtensions.length === 0, "systemExtensions", extensions),
    ...unless(fields.bootloader === "none", "bootloader", fields.bootloader),
    ...unless(secureboot.size === 0, "secureboot", secureboot),
    ...unless(fields.sectorSize === 0, "diskImage", new Map([["sectorSize", fields.sectorSize]])),
  ]);
}

function metaTree({ key, value }: { key: number; value: string }): Tree {
  return new Map<string, Tree>([
    ["key", key],
    ["value", value],
  ]);
}

function unless(empty: boolean, key: string, value: Tree): readonly Entry[] {
  return empty ? [] : [[key, value]];
}

function optionTree(value: OptionValue): Tree {
  if (value === null || typeof value !== "object") return value;
  if (isOptionList(value)) return value.map(optionTree);
  const sorted = Object.entries(value).sort(([left], [right]) => compareKeys(left, right));
  return new Map(sorted.map(([key, item]) => [key, optionTree(item)]));
}

function isOptionList(value: object): value is readonly OptionValue[] {
  return Array.isArray(value);
}
