/** After a killed run: finds what its pending operations left, removes it, clears the entries. */
import { setTimeout as pause } from "node:timers/promises";
import type { ClusterPlan } from "../../config/types";
import { answerOf, importState, type Pulumi } from "../clients/pulumi";
import { clearStaleLocks } from "./clear-locks";
import { clears, type Outcome, outcomeText } from "./outcome";
import { type Leftovers, removeLeftover } from "./leftovers";
import { onPlatform } from "../platforms/select";
import { nameInProgram, type Pending, readState, withoutPending } from "./state";

export interface RecoverArgs {
  readonly stack: string;
  readonly project: string;
  readonly plan: ClusterPlan;
  readonly pulumi: Pulumi;
  readonly print: (line: string) => void;
  /** Plugins outlive a killed pulumi by moments: how long to wait before looking again, in ms. */
  readonly settleMs: number;
}

/** Gives true when everything is clear, so that the next `up` can converge. Can be repeated, and killed itself. */
export async function recover(args: RecoverArgs): Promise<boolean> {
  const { pulumi, print, stack, plan } = args;
  await clearStaleLocks(args);
  const text = await answerOf(pulumi, ["stack", "export", "--show-secrets"]);
  if (text === undefined) {
    print(`stack ${stack}: does not exist yet: nothing to recover`);
    return true;
  }
  const state = readState(text);
  if (state.pending.length === 0) {
    print(`stack ${stack}: no pending operations: nothing to recover`);
    return true;
  }
  const where = { state, platform: await onPlatform(plan), cluster: plan.name };
  const results = await recoverAll(state.pending, where, args);
  for (const { pending, outcome } of results) print(line(pending, outcome));
  if (!(await clear(results, args))) return results.every(({ outcome }) => outcome.kind !== "failed");
  for (const what of await strays(where)) {
    print(
      `${what}: has this cluster's labels, but neither the state nor a pending operation knows it: left alone`,
    );
  }
  return true;
}

interface Result {
  readonly pending: Pending;
  readonly outcome: Outcome;
}

const line = ({ operation, resource }: Pending, outcome: Outcome): string =>
  `${operation} ${nameInProgram(resource)} (${resource.type}): ${outcomeText(outcome)}`;

const LOOKS = 3;

/** Looks until nothing new appears: a plugin may still finish a create after pulumi was killed. */
async function recoverAll(
  pending: readonly Pending[],
  where: Leftovers,
  { settleMs }: RecoverArgs,
): Promise<Result[]> {
  let results = await lookAt(pending, where);
  for (let looks = 1; looks < LOOKS && pending.some(({ operation }) => operation === CREATING); looks += 1) {
    await pause(settleMs);
    const again = await lookAt(pending, where);
    const news = again.some(({ outcome }) => outcome.kind === "removed");
    results = results.map((before, index) => merge(before, again[index]));
    if (!news) break;
  }
  return results;
}

const merge = (before: Result, after: Result | undefined): Result =>
  after === undefined || (after.outcome.kind === "absent" && before.outcome.kind === "removed")
    ? before
    : after;

const CREATING = "creating";

/** One after the other, the last first: what was made later may stand on what was made before. */
async function lookAt(pending: readonly Pending[], where: Leftovers): Promise<Result[]> {
  const results: Result[] = [];
  for (const entry of [...pending].reverse()) {
    results.unshift({ pending: entry, outcome: await outcomeOf(entry, where) });
  }
  return results;
}

function outcomeOf({ operation, resource }: Pending, where: Leftovers): Promise<Outcome> | Outcome {
  if (operation === CREATING) return removeLeftover(where, resource);
  return { kind: "repeatable", why: "the next run does it again" };
}

/** All entries or none: an import drops whatever is pending. From a fresh export, so that no secret is on disk in clear. */
async function clear(results: readonly Result[], { pulumi, print, stack }: RecoverArgs): Promise<boolean> {
  const open = results.filter(({ outcome }) => !clears(outcome)).length;
  if (open > 0) {
    print(
      `stack ${stack}: ${open} of ${results.length} are open: the entries stay in the state; repeat when the cause is gone`,
    );
    return false;
  }
  const text = await answerOf(pulumi, ["stack", "export"]);
  if (text !== undefined) await importState(pulumi, withoutPending(text));
  print(
    `stack ${stack}: ${results.length} pending ${results.length === 1 ? "operation" : "operations"} cleared`,
  );
  return true;
}

/** Pulumi writes the entry before the create, so there should be none. */
async function strays({ state, platform }: Leftovers): Promise<string[]> {
  const known = new Set(state.resources.map(({ id }) => id));
  const labelled = await platform.labelled(state).catch(() => []);
  return labelled.filter(({ id }) => !known.has(id)).map(({ what }) => what);
}
