import type { Fault, Note } from "../../base/faults";
import type { Draft } from "../draft";
import type { LayoutNode } from "../layout";
import type { LoadedPatch } from "../patches";

/** What a rule may look at. Everything that did not fit the schema is absent from the draft. */
export interface RuleInput {
  readonly draft: Draft;
  readonly layout: readonly LayoutNode[];
  readonly patches: readonly LoadedPatch[];
  readonly stack: string;
  /** Whether a Hetzner token was given; undefined where nobody can know (the `check` command). */
  readonly tokenPresent?: boolean;
  readonly tokenLength?: number;
}

export type Rule = (input: RuleInput) => readonly Fault[];

/** Says what is worth knowing and stops nothing. */
export type NoteRule = (input: RuleInput) => readonly Note[];
