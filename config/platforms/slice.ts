/** What a platform brings into the configuration, besides its section of the schema. */
import type { Draft } from "../draft";
import type { LayoutNode } from "../layout";
import type { NoteRule, Rule } from "../rules/input";
import type { OwnedParts } from "../rules/owned";
import type { NodePlan, PlanBase } from "../types";

/** A range with the key that sets it, for messages. */
export interface NamedRange {
  readonly key: string;
  readonly cidr: string;
}

/** The address ranges of a cluster, defaults filled in; undefined is one that the schema refused: it hides no other. */
export interface Networks {
  readonly nodes: NamedRange | undefined;
  /** Around `nodes`, where the platform has such a thing. */
  readonly network?: NamedRange | undefined;
  readonly pods: NamedRange | undefined;
  readonly services: NamedRange | undefined;
  /** What to do where two of them overlap. */
  readonly repair: string;
}

export interface PlatformDefaults {
  readonly deletionProtection: boolean;
  /** Host numbers in the node network. */
  readonly firstAddress: { readonly controlPlanes: number; readonly workers: number };
}

/** A host number that no node may take, and whose it is. */
export type ReservedHost = readonly [host: number, owner: string];

export interface PlanParts {
  readonly draft: Draft;
  readonly layout: readonly LayoutNode[];
  readonly base: PlanBase;
  /** In the order of the layout. */
  readonly nodes: readonly NodePlan[];
}

export interface PlatformSlice<Plan> {
  readonly defaults: PlatformDefaults;
  /** Rules that hold in every run, asked only where the platform is this one. */
  readonly rules: Readonly<Record<string, Rule>>;
  /** Rules that must hold only when something is about to be created. */
  readonly upRules: Readonly<Record<string, Rule>>;
  readonly notes: Readonly<Record<string, NoteRule>>;
  /** What patches have to leave alone, besides what they have to everywhere. */
  readonly owned: OwnedParts;
  readonly networks: (draft: Draft) => Networks;
  readonly reservedHosts: (draft: Draft) => readonly ReservedHost[];
  readonly plan: (parts: PlanParts) => Plan;
  /** What `talos-fleet plan` prints of it. */
  readonly view: (plan: Plan) => PlanView;
}

export interface PlanView {
  /** The networks and the way to the APIs, in one line. */
  readonly network: string;
  /** Heads of the platform's own columns, and each node's cells in the order of the plan. */
  readonly columns: readonly string[];
  readonly cells: readonly (readonly string[])[];
  /** Lines after the table. */
  readonly lines: readonly string[];
  /** What JSON holds besides the plan. */
  readonly json: Readonly<Record<string, unknown>>;
}
