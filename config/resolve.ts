import { schematicFaults } from "../factory/resolve";
import { readDraft, show } from "./draft";
import { defaults } from "./defaults";
import { ConfigError } from "../base/faults";
import type { Fault } from "../base/faults";
import { layoutOf } from "./layout";
import { loadPatches } from "./patches";
import type { Note } from "./patches";
import { planOf } from "./plan";
import type { PlanSources } from "./plan";
import { whyUnreadable } from "../base/text";
import { rules } from "./rules";
import type { RuleInput } from "./rules/input";
import type { ClusterPlan } from "./types";

/** What resolving a configuration needs from outside. */
export interface ResolveIo {
  /** The text of a file, its path relative to the folder of Pulumi.yaml; throws when there is none. */
  readonly readText: (path: string) => string;
  readonly stack: string;
  /** What must hold only when something is about to be created is asked at `up` alone. */
  readonly phase: "preview" | "up";
  /** Whether a Hetzner token was given; left out where nobody can know. */
  readonly tokenPresent?: boolean;
  /** Its length where it is known, for a token cut short. */
  readonly tokenLength?: number;
}

/** The plan of the raw keys of the namespace. Throws ConfigError with every fault there is. */
export function resolveConfig(raw: Readonly<Record<string, unknown>>, io: ResolveIo): ClusterPlan {
  const { faults, sources } = inspectConfig(raw, io);
  if (faults.length > 0) throw new ConfigError(faults);
  return planOf(sources);
}

/** Every fault of the raw keys, and what a plan is made of when there are none. */
export function inspectConfig(
  raw: Readonly<Record<string, unknown>>,
  io: ResolveIo,
): { faults: Fault[]; notes: readonly Note[]; sources: PlanSources } {
  const { stack, phase, tokenPresent, tokenLength } = io;
  const draft = readDraft(raw);
  const layout = layoutOf(draft, stack);
  const read = loadPatches(draft, io.readText);
  const schematic = readSchematic(draft.schematic ?? defaults.schematic, io.readText);
  const input: RuleInput = {
    ...{ draft, layout, patches: read.patches, stack, phase },
    ...(tokenPresent === undefined ? {} : { tokenPresent }),
    ...(tokenLength === undefined ? {} : { tokenLength }),
  };
  const faults = [
    ...draft.faults,
    ...Object.values(rules).flatMap((rule) => rule(input)),
    ...read.faults,
    ...("fault" in schematic ? [schematic.fault] : schematicFaults(schematic.text, schematic.source)),
  ];
  const text = "fault" in schematic ? { source: "schematic", text: "" } : schematic;
  return {
    faults,
    notes: read.notes,
    sources: { draft, stack, layout, patches: read.patches, schematic: text },
  };
}

type Schematic = { readonly source: string; readonly text: string } | { readonly fault: Fault };

/** An object is passed on as JSON, which is YAML in which no text can be mistaken for a number or a flag. */
function readSchematic(
  value: string | Readonly<Record<string, unknown>>,
  readText: (path: string) => string,
): Schematic {
  if (typeof value !== "string") return { source: "schematic", text: `${JSON.stringify(value, null, 2)}\n` };
  try {
    return { source: value, text: readText(value) };
  } catch (error) {
    const rule = `is neither an existing file nor an object (${whyUnreadable(error)})`;
    const repair = "give a path relative to Pulumi.yaml, or write `customization:` under the key";
    return {
      fault: {
        key: "schematic",
        value: value.includes("\n") ? "(a text, not shown)" : show(value),
        rule,
        repair,
      },
    };
  }
}
