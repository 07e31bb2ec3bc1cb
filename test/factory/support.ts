import { readFileSync } from "node:fs";
import { join } from "node:path";
import { resolveSchematic } from "../../factory/resolve";
import { readSchematic } from "../../factory/read";
import type { Dialect, ResolvedSchematic } from "../../factory/types";
import { writeSchematic } from "../../factory/write";
import type { Fault } from "../../base/faults";

export const allDialects: readonly Dialect[] = ["D1", "D2", "D3", "D4", "D5"];

export function testdata(name: string): string {
  return readFileSync(join(__dirname, "../../factory/testdata", name), "utf8");
}

/** JSON is YAML; characters that YAML wants escaped are. */
export function asYaml(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export function args(...values: string[]): string {
  return asYaml({ customization: { extraKernelArgs: values } });
}

export function extensions(...names: string[]): string {
  const officialExtensions = names.map((name) => `siderolabs/${name}`);
  return asYaml({ customization: { systemExtensions: { officialExtensions } } });
}

export function resolved(text: string): ResolvedSchematic {
  const result = resolveSchematic(text, "schematic");
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.faults)}`);
  return result.schematic;
}

export function faultsOf(text: string): readonly Fault[] {
  const result = resolveSchematic(text, "schematic");
  return result.ok ? [] : result.faults;
}

export function written(text: string, dialect: Dialect): string {
  const { schematic, findings } = readSchematic(text);
  if (findings.faults.length > 0) throw new Error(`refused: ${JSON.stringify(findings.faults)}`);
  return writeSchematic(schematic, dialect);
}

/** How one kernel argument is written after `- `. */
export function argAs(value: string, dialect: Dialect): string {
  return written(args(value), dialect).split("        - ").slice(1).join("        - ").trimEnd();
}
