import { ConfigError, type Fault } from "../base/faults";
import { dialects, factoryReleases } from "./dialects";
import { poisonFaults } from "./poison";
import { readSchematic } from "./read";
import type { ReadFault } from "./read-fault";
import type { Candidate, Dialect, ResolvedSchematic, Schematic, SchematicResult } from "./types";
import { schematicWarnings, type Target } from "./warnings";
import { idOfText, writeSchematic } from "./write";

/**
 * What the Image Factory would make of a schematic, without asking it. `source` is the file's path, or `schematic`
 * for one written in the stack's configuration. All faults at once when no id can be promised.
 */
export function resolveSchematic(text: string, source: string, target: Target = {}): SchematicResult {
  const { schematic, findings } = readSchematic(text);
  const readFaults = [...findings.faults, ...findings.dates].map((fault) => located(fault, source));
  const ruleFaults = [...overlayFaults(schematic, findings.overlayGiven), ...poisonFaults(schematic)];
  const faults = [...readFaults, ...ruleFaults.map((fault) => located({ ...fault, line: 0 }, source))];
  if (faults.length > 0) return { ok: false, faults };
  const candidates = candidatesOf(schematic);
  const warnings = [
    ...findings.notes,
    ...candidateWarnings(candidates),
    ...schematicWarnings(schematic, target),
  ];
  return { ok: true, schematic: resolved(schematic, candidates, warnings) };
}

/** The same for callers that cannot go on; throws `ConfigError` with all faults. */
export function requireSchematic(text: string, source: string, target: Target = {}): ResolvedSchematic {
  const result = resolveSchematic(text, source, target);
  if (!result.ok) throw new ConfigError(result.faults);
  return result.schematic;
}

function resolved(spec: Schematic, candidates: readonly Candidate[], warnings: string[]): ResolvedSchematic {
  const [{ id, text } = { id: "", text: "" }] = candidates;
  return { id, text, certain: candidates.length === 1, candidates, warnings, spec };
}

/** The distinct texts of all dialects, the newest known factory's first. */
function candidatesOf(schematic: Schematic): Candidate[] {
  const byText = new Map<string, Dialect[]>();
  for (const dialect of dialects) {
    const text = writeSchematic(schematic, dialect);
    byText.set(text, [...(byText.get(text) ?? []), dialect]);
  }
  return Array.from(byText, ([text, group]) => {
    const ordered = [...group].sort();
    const factories = ordered.map((dialect) => factoryReleases[dialect]).join(", ");
    return { dialects: ordered, factories, id: idOfText(text), text };
  });
}

function candidateWarnings(candidates: readonly Candidate[]): string[] {
  if (candidates.length === 1) return [];
  const ids = candidates.map(({ id, factories }) => `${id} (factory ${factories})`);
  return [`The id depends on the factory's version: ${ids.join("; ")}.`];
}

/** An overlay is found by its name alone; without one it would be left out, or refused at the first build. */
function overlayFaults({ overlay }: Schematic, given: boolean): Fault[] {
  if (overlay.name !== "" || !given) return [];
  const rule = "an overlay needs a name: the factory finds it by that alone";
  return [{ key: "overlay.name", value: '""', rule, repair: "set overlay.name, or remove the overlay" }];
}

function located(fault: Fault & Pick<ReadFault, "line">, source: string): Fault {
  const { key, value, rule, repair, line } = fault;
  if (source === "schematic") return { key: key === "" ? source : `${source}.${key}`, value, rule, repair };
  const file = line > 0 ? `${source}:${line}` : source;
  return { key: key === "" ? file : `${file} ${key}`, value, rule, repair };
}
