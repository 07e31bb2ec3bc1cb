import type { RunResult } from "../../../rehearsal/session";
import { succeeded } from "./open";

/** How a preview in JSON writes a value that only `up` can know. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export interface Step {
  readonly op: string;
  /** `hcloud:index/server:Server hetzner-worker-1` */
  readonly title: string;
  readonly type: string;
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Titles. */
  readonly dependencies: readonly string[];
  readonly changed: readonly string[];
}

interface RawState {
  readonly type: string;
  readonly inputs?: Record<string, unknown>;
  readonly dependencies?: readonly string[];
}

interface RawStep {
  readonly op: string;
  readonly urn: string;
  readonly newState?: RawState;
  readonly oldState?: RawState;
  readonly detailedDiff?: Readonly<Record<string, unknown>> | null;
  readonly diffReasons?: readonly string[];
}

/** `TYPE NAME` of a URN, without the parents' types. */
export function titleOf(urn: string): string {
  const [, , types = "", name = ""] = urn.split("::");
  return `${types.split("$").at(-1) ?? ""} ${name}`;
}

function read(step: RawStep): Step {
  const state = step.newState ?? step.oldState;
  const title = titleOf(step.urn);
  const [type = "", name = ""] = title.split(" ");
  const changed = Object.keys(step.detailedDiff ?? {});
  return {
    op: step.op,
    title,
    type,
    name,
    inputs: state?.inputs ?? {},
    dependencies: (state?.dependencies ?? []).map(titleOf),
    changed: changed.length > 0 ? changed : [...(step.diffReasons ?? [])],
  };
}

/** The steps of `pulumi preview --json`. */
export const stepsOf = (preview: RunResult): Step[] =>
  (JSON.parse(succeeded(preview).stdout) as { steps: readonly RawStep[] }).steps.map(read);

/** What the steps are about, the stack itself aside, sorted. */
export const titlesOf = (steps: readonly Step[]): string[] =>
  steps
    .map(({ title }) => title)
    .filter((title) => !title.startsWith("pulumi:pulumi:Stack "))
    .sort();

export const ofType = (steps: readonly Step[], type: string): Step[] =>
  steps.filter((step) => step.type === type);

/** What would not stay as it is: `update hcloud:... name [what]`, sorted. */
export const changesOf = (steps: readonly Step[]): string[] =>
  steps
    .filter(({ op }) => op !== "same" && op !== "read")
    .map(({ op, title, changed }) => `${op} ${title}${changed.length > 0 ? ` [${changed.join()}]` : ""}`)
    .sort();

/** Paths of the inputs that are unknown: `networks[0].subnetId`. */
function unknownsOf(value: unknown, path = ""): string[] {
  if (value === UNKNOWN) return [path];
  if (Array.isArray(value)) return value.flatMap((item, index) => unknownsOf(item, `${path}[${index}]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    unknownsOf(item, path === "" ? key : `${path}.${key}`),
  );
}

/** Paths of unknown inputs by type: what is unknown must be so for every resource of that type and role. */
export function unknownsByType(steps: readonly Step[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const { type, inputs } of steps) {
    const paths = unknownsOf(inputs);
    if (paths.length > 0) found[type] = [...new Set([...(found[type] ?? []), ...paths])].sort();
  }
  return found;
}

const HARMLESS = new Set([
  "exit 0",
  ...["write-access", "wait ready", "wait node", "validate"].map((call) => `node bin/talos-fleet ${call}`),
]);

/** Operations that are told of another set of nodes, and then do nothing, write the lab's files or look again. */
export const isTold = ({ op, type, changed, inputs }: Step): boolean =>
  op === "update" &&
  type === "command:local:Command" &&
  changed.join() === "stdin" &&
  HARMLESS.has(String(inputs["update"]));
