import { ConfigError } from "../base/faults";
import type { Fault, Note } from "../base/faults";
import { show } from "../base/show";
import { NoRegularFile, whyUnreadable } from "../base/text";
import { schematicUses } from "../factory/platforms";
import { resolveSchematic } from "../factory/resolve";
import { defaults } from "./defaults";
import { readDraft } from "./draft";
import type { Draft } from "./draft";
import { layoutOf } from "./layout";
import { loadPatches, noFileFault } from "./patches";
import { planOf } from "./plan";
import type { PlanSources } from "./plan";
import { notes, rules, upRules } from "./rules";
import type { RuleInput } from "./rules/input";
import type { ClusterPlan } from "./types";

/** What inspecting a configuration needs from outside. */
export interface InspectIo {
  /** The text of a file, its path relative to the folder of Pulumi.yaml; throws when there is none. */
  readonly readText: (path: string) => string;
  readonly stack: string;
  /** Whether a Hetzner token was given; left out where nobody can know. */
  readonly tokenPresent?: boolean;
  /** Its length where it is known, for a token cut short. */
  readonly tokenLength?: number;
}

export interface ResolveIo extends InspectIo {
  /** What must hold only when something is about to be created is asked at `up` alone. */
  readonly phase: "preview" | "up";
}

export interface Inspection {
  /** Faults of every run. */
  readonly faults: readonly Fault[];
  /** Faults that only `up` minds. */
  readonly laterFaults: readonly Fault[];
  readonly notes: readonly Note[];
  /** What a plan is made of when there are no faults. */
  readonly sources: PlanSources;
}

/** The key of notes about the schematic, which the program itself shows beside the schematic's resource. */
export const schematicKey = "schematic";

/** The plan of the raw keys of the namespace. Throws ConfigError with every fault there is. */
export function resolveConfig(raw: Readonly<Record<string, unknown>>, io: ResolveIo): ClusterPlan {
  return planFrom(inspectConfig(raw, io), io.phase);
}

/** The plan of what was inspected. Throws ConfigError with every fault that the phase minds. */
export function planFrom(
  { faults, laterFaults, sources }: Inspection,
  phase: ResolveIo["phase"],
): ClusterPlan {
  const minded = phase === "up" ? [...faults, ...laterFaults] : faults;
  if (minded.length > 0) throw new ConfigError(minded);
  return planOf(sources);
}

/** Everything there is to say of the raw keys, in one pass. */
export function inspectConfig(raw: Readonly<Record<string, unknown>>, io: InspectIo): Inspection {
  const { stack, tokenPresent, tokenLength } = io;
  const draft = readDraft(raw);
  const layout = layoutOf(draft, stack);
  const read = loadPatches(draft, io.readText);
  const schematic = inspectSchematic(draft, io.readText);
  const input: RuleInput = {
    ...{ draft, layout, patches: read.patches, stack },
    ...(tokenPresent === undefined ? {} : { tokenPresent }),
    ...(tokenLength === undefined ? {} : { tokenLength }),
  };
  const asked = <Answer>(list: Readonly<Record<string, (input: RuleInput) => readonly Answer[]>>) =>
    Object.values(list).flatMap((rule) => rule(input));
  return {
    faults: [...draft.faults, ...asked(rules), ...read.faults, ...schematic.faults],
    laterFaults: asked(upRules),
    notes: [...asked(notes), ...read.notes, ...schematic.notes],
    sources: { draft, stack, layout, patches: read.patches, schematic: schematic.text },
  };
}

interface InspectedSchematic {
  readonly faults: readonly Fault[];
  readonly notes: readonly Note[];
  readonly text: { readonly source: string; readonly text: string };
}

function inspectSchematic(draft: Draft, readText: InspectIo["readText"]): InspectedSchematic {
  const { platform, talosVersion } = draft;
  const read = readSchematic(draft.schematic ?? defaults.schematic, readText);
  if ("fault" in read) return { faults: [read.fault], notes: [], text: { source: schematicKey, text: "" } };
  // That a lab boots nothing of it is no news in every check.
  const isBooted = platform !== undefined && schematicUses[platform].boots;
  const result = resolveSchematic(read.text, read.source, {
    ...(isBooted ? { platform } : {}),
    ...(talosVersion === undefined ? {} : { talosVersion }),
  });
  if (!result.ok) return { faults: result.faults, notes: [], text: read };
  const notes = result.schematic.warnings.map((note) => ({
    key: schematicKey,
    value: show(read.source),
    note,
  }));
  return { faults: [], notes, text: read };
}

type Schematic = { readonly source: string; readonly text: string } | { readonly fault: Fault };

/** An object is passed on as JSON, which is YAML in which no text can be mistaken for a number or a flag. */
function readSchematic(
  value: string | Readonly<Record<string, unknown>>,
  readText: (path: string) => string,
): Schematic {
  if (typeof value !== "string") return { source: schematicKey, text: `${JSON.stringify(value, null, 2)}\n` };
  try {
    return { source: value, text: readText(value) };
  } catch (error) {
    if (error instanceof NoRegularFile) return { fault: noFileFault(schematicKey, value, error) };
    const rule = `is neither an existing file nor an object (${whyUnreadable(error)})`;
    const repair = "give a path relative to Pulumi.yaml, or write `customization:` under the key";
    return {
      fault: {
        key: schematicKey,
        value: value.includes("\n") ? "(a text, not shown)" : show(value),
        rule,
        repair,
      },
    };
  }
}
