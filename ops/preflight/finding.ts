/** What a preflight has to say. Pure. */

export interface Finding {
  /** `stop`: `up` would fail. `warning`: it may work, and may not. */
  readonly level: "stop" | "warning";
  readonly what: string;
  readonly seen: string;
  readonly why: string;
  /** The line to type or to change; several lines where it depends on the machine. */
  readonly cure: string;
}

const MARK = { stop: "stop", warning: "warn" } as const;

/** Four lines a finding: what, seen, why, and the line to type. */
export const findingText = (finding: Finding): string =>
  [
    `${MARK[finding.level]}  ${finding.what}`,
    `      seen: ${finding.seen}`,
    `      why:  ${finding.why}`,
    `      do:   ${finding.cure.replaceAll("\n", "\n            ")}`,
  ].join("\n");

export const stops = (findings: readonly Finding[]): boolean =>
  findings.some(({ level }) => level === "stop");
