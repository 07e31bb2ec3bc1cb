import type { RunResult, Session } from "../session";

export type Say = (line: string) => void;

/** A step that did not go as it should; the message is what the user sees. */
export class DemoError extends Error {}

/** Runs one step, prints its name before and its time after. */
export async function step<T>(say: Say, title: string, work: () => Promise<T>): Promise<T> {
  say("");
  say(`▶ ${title}`);
  const started = performance.now();
  const result = await work();
  say(`  ✔ ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return result;
}

/** Throws with the end of pulumi's output unless the run succeeded. */
export function mustSucceed(what: string, result: RunResult): RunResult {
  if (result.code === 0) return result;
  const tail = `${result.stdout}\n${result.stderr}`.trimEnd().split("\n").slice(-60).join("\n");
  throw new DemoError(`${what} failed (exit code ${result.code}):\n${tail}`);
}

const DONE = /^ ([+~-]{1,2}) +(\S+) (\S+) (?:created|updated|deleted|replaced)(?: \(([\d.]+s)\))?/;
const SPOKEN = /^ [+~-]{0,2} +command:local:Command (\S+) (?:creating|updating|deleting) \([\d.]+s\) (.+)$/;

/** What of pulumi's progress is worth a line: what is done, and what the operations say. */
export function progressLine(line: string): string | undefined {
  const done = DONE.exec(line);
  if (done !== null)
    return `  ${done[1] ?? ""} ${shortType(done[2] ?? "").padEnd(34)} ${done[3] ?? ""}${done[4] === undefined ? "" : `  ${done[4]}`}`;
  const spoken = SPOKEN.exec(line);
  return spoken === null ? undefined : `      ${spoken[1] ?? ""}: ${spoken[2] ?? ""}`;
}

/** `hcloud:index/server:Server` reads `hcloud Server`. */
const shortType = (type: string): string => {
  const parts = type.split(":");
  if (type.startsWith("pulumi:providers:")) return `provider ${parts[2] ?? ""}`;
  return parts.length === 3 ? `${parts[0] ?? ""} ${parts[2] ?? ""}` : type;
};

export const showProgress =
  (say: Say) =>
  (line: string): void => {
    const shown = progressLine(line);
    if (shown !== undefined) say(shown);
  };

/** The stack, providers and our own components: nothing that runs anywhere. */
const NOT_COUNTED = /^(pulumi|talos-fleet):/;

export interface PreviewSummary {
  readonly counts: Readonly<Record<string, number>>;
  /** `hcloud Server` -> 17. */
  readonly types: ReadonlyMap<string, number>;
}

interface PreviewDocument {
  readonly changeSummary?: Readonly<Record<string, number>>;
  readonly steps?: readonly { readonly op: string; readonly newState?: { readonly type: string } }[];
}

/** Runs a preview and counts its steps by kind and type. */
export async function previewSummary(session: Session): Promise<PreviewSummary> {
  const result = mustSucceed("preview", await session.preview({ json: true }));
  const document = JSON.parse(result.stdout) as PreviewDocument;
  const types = new Map<string, number>();
  for (const { op, newState } of document.steps ?? []) {
    if (newState === undefined || op === "same" || NOT_COUNTED.test(newState.type)) continue;
    const type = shortType(newState.type);
    types.set(type, (types.get(type) ?? 0) + 1);
  }
  return { counts: document.changeSummary ?? {}, types };
}
