/** What Talos itself says of every node's config, and which patch it says it of. */
import type { Fault, Note } from "../../base/faults";
import type { ConfigsInput } from "../../agreed/operations";
import type { Patch, Role } from "../../agreed/types";
import { encrypted } from "../../config/raw";
import type { OfflineTalosctl } from "../clients/talosctl-offline";
import type { Renderer } from "../render/render";
import { withRenderer } from "../render/render";
import { complaints, masked, secretsOf } from "./words";

interface Group {
  readonly role: Role;
  readonly nodes: readonly string[];
  readonly own: readonly Patch[];
  readonly operators: readonly Patch[];
}

/** A line of its own beside faults. */
export const notJudged: Note = {
  key: "patches",
  value: "(values inside)",
  note: "not judged: there is no talosctl here (make doctor says how to get it)",
};

/** Two cores' worth at a time. */
const AT_ONCE = 2;
/** Each costs some runs of talosctl; who has more goes on after mending these. */
const FAULTY_PATCHES = 10;

/** Every fault that Talos finds, once however many nodes have it. @throws Error when the program's own patches are refused. */
export async function judgeConfigs(
  input: ConfigsInput,
  talosctl: OfflineTalosctl,
): Promise<readonly Fault[]> {
  return withRenderer(input, talosctl, async (renderer) => {
    const faults: Refused[][] = [];
    const waiting = [...input.groups.entries()];
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        faults[next[0]] = await judgeGroup(next[1], { input, renderer });
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const once = new Map<string, Fault>();
    for (const { identity, fault } of faults.flat()) if (!once.has(identity)) once.set(identity, fault);
    return [...once.values()];
  });
}

interface Refused {
  readonly fault: Fault;
  /** The same whichever group of nodes it was found on. */
  readonly identity: string;
}

interface Judging {
  readonly input: ConfigsInput;
  readonly renderer: Renderer;
}

/** Finds the first patch with which the config is refused, leaves it out, and goes on: one fault hides no other. */
async function judgeGroup(group: Group, judging: Judging): Promise<Refused[]> {
  const { own, operators } = group;
  const refusalOf = async (patches: readonly Patch[]) => refusal({ ...group, operators: patches }, judging);
  const faults: Refused[] = [];
  let rest: readonly Patch[] = operators;
  let good = 0;
  for (let found = 0; found < FAULTY_PATCHES; found++) {
    const said = await refusalOf(rest);
    if (said === undefined) return faults;
    if (good === 0) await requireOwn(await refusalOf([]), own);
    const bad = await firstBad(rest, { from: good, refusalOf });
    const patch = rest[bad];
    if (patch === undefined) return faults;
    faults.push(...faultsOf((await refusalOf(rest.slice(0, bad + 1))) ?? said, { patch, group, judging }));
    rest = rest.filter((_, index) => index !== bad);
    good = bad;
  }
  return faults;
}

async function requireOwn(said: string | undefined, own: readonly Patch[]): Promise<void> {
  if (said === undefined) return;
  const reason = masked(complaints(said).join("; "), secretsOf(own, true));
  throw new Error(`Talos refuses this program's own config: ${reason}; is talosctl as new as talosContract?`);
}

interface Search {
  /** So many are known to be good together. */
  readonly from: number;
  readonly refusalOf: (patches: readonly Patch[]) => Promise<string | undefined>;
}

/** By halves: the first `n` are taken and the first `n + 1` refused. */
async function firstBad(patches: readonly Patch[], { from, refusalOf }: Search): Promise<number> {
  let good = from;
  let bad = patches.length;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if ((await refusalOf(patches.slice(0, middle))) === undefined) good = middle;
    else bad = middle;
  }
  return good;
}

/** What talosctl says against a group's config, undefined when it takes it. */
async function refusal(
  { role, own, operators }: Group,
  { input, renderer }: Judging,
): Promise<string | undefined> {
  const rendered = await renderer.render(role, [...own, ...operators]);
  if (!rendered.ok) return rendered.said;
  const { ok, stderr } = await renderer.talosctl([
    "validate",
    "--mode",
    input.mode,
    "--config",
    rendered.file,
  ]);
  return ok ? undefined : stderr;
}

function faultsOf(
  said: string,
  { patch, group, judging }: { readonly patch: Patch; readonly group: Group; readonly judging: Judging },
): Refused[] {
  const secrets = secretsOf(group.operators, judging.input.secret);
  const [first = ""] = group.nodes;
  const nodes = group.nodes.length > 1 ? `${first} and others like it` : first;
  return complaints(said).flatMap((complaint) => {
    const [, kind, name, rest = complaint] = /^([A-Z]\w*Config)(?:\/(\S*))?: (.+)$/.exec(complaint) ?? [];
    if (isUnreadable(patch, kind)) return [];
    const document = [kind, masked(name ?? "", secrets)].filter(Boolean).join(" ");
    const rule = `Talos refuses the config of ${nodes}: ${masked(rest, secrets).replaceAll(";", ",")}`;
    const value = document === "" ? "(a value in it)" : document;
    const fault = { key: patch.source, value, rule, repair: "correct it as the message says" };
    return [{ fault, identity: `${patch.source} ${complaint}` }];
  });
}

/** A value that only Pulumi can decrypt stands as a word here: what Talos says of such a document may be of that word. */
function isUnreadable({ documents }: Patch, kind: string | undefined): boolean {
  const meant = documents.filter((document) => kind === undefined || document["kind"] === kind);
  return JSON.stringify(meant).includes(encrypted);
}
