import type { Fault } from "../base/faults";
import { resolveSchematic } from "./resolve";

/** What is wrong with a schematic; empty when it has an id. */
export function schematicFaults(text: string, source: string): readonly Fault[] {
  const result = resolveSchematic(text, source);
  return result.ok ? [] : result.faults;
}
