/** What `talos-fleet preflight` prints. Pure. */
import { type Fault, formatFault } from "../../base/faults";
import { type Finding, findingText } from "./finding";
import type { UseOfImages } from "./judge-factory";

/** What a platform's own look gave. */
export interface PlatformFindings {
  /** What was looked at, and what was not. */
  readonly about: string;
  readonly findings: readonly Finding[];
  readonly images: UseOfImages;
}

export interface Preflight {
  readonly file: string;
  readonly ok: boolean;
  /** The engine that was chosen and where it came from, or what was looked at. */
  readonly about: string;
  /** What the stack file lacks for `up`. */
  readonly faults: readonly Fault[];
  readonly findings: readonly Finding[];
}

export function preflightText({ about, faults, findings, ok, file }: Preflight): string {
  const warnings = findings.filter(({ level }) => level === "warning").length;
  const verdict = ok
    ? `nothing stops \`up\`${warnings > 0 ? `, ${counted(warnings)}` : ""}`
    : "`up` would fail";
  return [
    about,
    ...faults.map((fault) => `stop  ${formatFault(fault)}`),
    ...findings.map(findingText),
    `${file}: ${verdict}`,
    "",
  ].join("\n");
}

const counted = (warnings: number): string => (warnings === 1 ? "1 warning" : `${warnings} warnings`);
