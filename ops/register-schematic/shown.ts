/** What may be told of a schematic, and of what a factory says of one. Pure. */
import { mayBeSecret, notShown, printableLines } from "../../base/show";
import { textDiff } from "../../factory/text-diff";
import { masked } from "../validate/words";

export interface Told {
  /** The canonical text that was posted. */
  readonly text: string;
  /** Whether the stack file keeps it secret: then nothing of it is told but the numbers of its lines. */
  readonly secret: boolean;
}

/** Both texts where they differ; `theirs` is undefined where the factory does not show it. */
export function difference({ text, secret }: Told, theirs: string | undefined): readonly string[] {
  if (secret) return [`lines that differ (the text is secret, and not shown): ${numbers(text, theirs)}`];
  const lines = textDiff(text, theirs ?? "(the factory does not show it)").split("\n");
  return ["- ours, + the factory's:", ...lines.map(shownLine)];
}

/** An answer's body, which may quote any part of the schematic. */
export function answered({ text, secret }: Told, body: string): string {
  if (!secret) {
    const lines = masked(body, secretsIn(text)).split("\n");
    return printableLines(lines.map(shownAnswer).join("\n"));
  }
  const lines = [...new Set(Array.from(body.matchAll(/\bline (\d+)/g), ([, line]) => `line ${line ?? ""}`))];
  return [...lines, "(the schematic is secret: what the factory says is not shown)"].join(" ");
}

/** The mark of a diff stays. */
const shownLine = (line: string): string => (mayBeSecret(line) ? `${line.slice(0, 2)}${notShown}` : line);

const shownAnswer = (line: string): string =>
  mayBeSecret(line) ? `${/^\s*line \d+: /.exec(line)?.[0] ?? ""}${notShown}` : line;

/** Each line that may be secret, as it stands and without its YAML, and what is assigned in it. */
function secretsIn(text: string): readonly string[] {
  const bare = text
    .split("\n")
    .filter(mayBeSecret)
    .map((line) => line.replace(/^[\s-]*["']?|["']?\s*$/g, ""));
  const parts = bare.flatMap((line) => line.split(/[\s=?&@]+/).slice(1));
  return [...bare, ...parts].sort((one, other) => other.length - one.length);
}

function numbers(text: string, theirs: string | undefined): string {
  if (theirs === undefined) return "the factory does not show its own";
  let [ours, others] = [0, 0];
  const differing: { ours: number[]; others: number[] } = { ours: [], others: [] };
  for (const line of textDiff(text, theirs).split("\n")) {
    if (!line.startsWith("+ ")) ours += 1;
    if (!line.startsWith("- ")) others += 1;
    if (line.startsWith("- ")) differing.ours.push(ours);
    if (line.startsWith("+ ")) differing.others.push(others);
  }
  const listed = (lines: readonly number[]) => (lines.length === 0 ? "none" : lines.join(", "));
  return `ours ${listed(differing.ours)}; the factory's ${listed(differing.others)}`;
}
