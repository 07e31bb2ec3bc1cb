import { dialects } from "./dialects";
import { excerpt } from "./read-fault";
import type { Fault } from "../base/faults";
import type { OptionValue, Schematic } from "./types";
import { isLiteral } from "./write-scalar";

/**
 * Text that a factory accepts and stores in a form it cannot read back: POST answers 201 and everything after fails.
 * Libraries up to D4 get the indentation of such blocks wrong.
 */
export function poisonFaults(schematic: Schematic): Fault[] {
  const embedded = schematic.customization.embeddedMachineConfiguration;
  const broken = brokenEmbedded(embedded) ? ["customization.embeddedMachineConfiguration"] : [];
  const others = textValues(schematic).filter(([, value]) => /^\s/.test(value) && writtenAsBlock(value));
  return [...broken, ...others.map(([path]) => path)].map((key) => ({
    key,
    value: key.includes("embedded") ? "(text that starts with white space)" : excerpt(valueAt(others, key)),
    rule: "text of several lines must not start with white space: the factory would store it unreadable",
    repair: "remove the white space before the first word",
  }));
}

/** Spaces alone are written well there, and so are empty first lines by every factory that knows the field. */
function brokenEmbedded(text: string): boolean {
  return writtenAsBlock(text) && /\S/.test(text) && /^(?:\t|\n+[ \t])/.test(text);
}

function writtenAsBlock(value: string): boolean {
  return dialects.some((dialect) => isLiteral(value, dialect));
}

type Located = readonly [path: string, value: string];

function valueAt(values: readonly Located[], path: string): string {
  return values.find(([candidate]) => candidate === path)?.[1] ?? "";
}

function textValues({ owner, overlay, customization }: Schematic): readonly Located[] {
  const { extraKernelArgs, meta, officialExtensions, secureboot } = customization;
  return [
    ["owner", owner],
    ["overlay.image", overlay.image],
    ["overlay.name", overlay.name],
    ...optionTexts(overlay.options, "overlay.options"),
    ...listTexts(extraKernelArgs, "customization.extraKernelArgs"),
    ...meta.map(({ value }, index): Located => [`customization.meta[${index}].value`, value]),
    ...listTexts(officialExtensions, "customization.systemExtensions.officialExtensions"),
    ["customization.secureboot.enrollKeys", secureboot.enrollKeys],
  ];
}

function listTexts(list: readonly string[], path: string): readonly Located[] {
  return list.map((value, index): Located => [`${path}[${index}]`, value]);
}

function optionTexts(value: OptionValue, path: string): readonly Located[] {
  if (typeof value === "string") return [[path, value]];
  if (value === null || typeof value !== "object") return [];
  const children: [string, OptionValue][] = Object.entries(value);
  const join = (key: string) => (Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
  return children.flatMap(([key, child]) => optionTexts(child, join(key)));
}
