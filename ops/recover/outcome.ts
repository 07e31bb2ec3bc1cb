/** What became of one pending operation. Pure. */
import { messageOf } from "../../base/text";

export type Outcome =
  /** Found by name and label, and removed. */
  | { readonly kind: "removed"; readonly what: string }
  /** There is nothing of that name. */
  | { readonly kind: "absent"; readonly what: string }
  /** Something has the name, but not our label, or the state holds it: left alone. */
  | { readonly kind: "left"; readonly what: string; readonly why: string }
  /** This operation leaves nothing outside that would be in the way. */
  | { readonly kind: "repeatable"; readonly why: string }
  /** Nobody could be asked: `up` may meet what was left. */
  | { readonly kind: "unasked"; readonly what: string; readonly why: string }
  /** The removal failed. */
  | { readonly kind: "failed"; readonly what: string; readonly why: string };

/** Whether the entry has told all that it can. */
export const clears = ({ kind }: Outcome): boolean => kind !== "failed" && kind !== "unasked";

/** The part of the line after the operation and its resource. */
export function outcomeText(outcome: Outcome): string {
  switch (outcome.kind) {
    case "removed":
      return `removed ${outcome.what}`;
    case "absent":
      return `nothing left (no ${outcome.what})`;
    case "left":
      return `left ${outcome.what} alone: ${outcome.why}`;
    case "repeatable":
      return outcome.why;
    case "unasked":
      return `${outcome.what} may be left: ${outcome.why}`;
    case "failed":
      return `${outcome.what} could not be removed: ${outcome.why}`;
  }
}

/** One thing outside the state, found by its exact name. */
export interface Found {
  readonly id: string;
  /** `container lab-worker-1` */
  readonly what: string;
  readonly ours: boolean;
  remove(): Promise<void>;
}

/** Where something could be that a create left. */
export interface Search {
  readonly what: string;
  /** The label or mark that it must carry, for people. */
  readonly mark: string;
  readonly find: () => Promise<Found | undefined>;
}

/** Removes what a search finds, unless it is not ours or the state has it. */
export async function removeFound(
  { what, mark, find }: Search,
  inState: (id: string) => boolean,
): Promise<Outcome> {
  try {
    const found = await find();
    if (found === undefined) return { kind: "absent", what };
    if (inState(found.id)) return { kind: "left", what: found.what, why: "the state holds it" };
    if (!found.ours) {
      return {
        kind: "left",
        what: found.what,
        why: `it lacks ${mark}, so it is somebody else's and \`up\` will meet it`,
      };
    }
    await found.remove();
    return { kind: "removed", what: found.what };
  } catch (error) {
    return { kind: "failed", what, why: messageOf(error) };
  }
}
