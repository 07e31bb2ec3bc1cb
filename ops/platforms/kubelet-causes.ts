/** How a log gives causes away, and those of a kubelet on any platform, with their cures. Pure. */
import type { Cause } from "./select";

export interface KnownCause extends Cause {
  readonly sign: RegExp;
}

const CORRECT =
  "correct machine.kubelet in the patches (talos-fleet render shows the whole config of a node)";

const KNOWN: readonly KnownCause[] = [
  {
    sign: /failed to parse kubelet flag|unknown flag: --|invalid argument .* for .* flag/,
    cause: "the kubelet refuses one of its arguments",
    cure: CORRECT,
    final: true,
  },
  {
    sign: /failed to (?:load|validate|decode|parse) (?:the )?kubelet config/i,
    cause: "the kubelet refuses its configuration",
    cure: CORRECT,
    final: true,
  },
  {
    sign: /running with swap on is not supported/i,
    cause: "the kubelet does not run beside swap",
    cure: "set machine.kubelet.extraConfig.failSwapOn: false in a patch, or take the swap away",
    final: true,
  },
];

/** The first of the known causes whose sign stands in the log. */
export function causeIn(log: string, causes: readonly KnownCause[]): Cause | undefined {
  const known = causes.find(({ sign }) => sign.test(log));
  return known === undefined ? undefined : { cause: known.cause, cure: known.cure, final: known.final };
}

export const kubeletCause = (log: string): Cause | undefined => causeIn(log, KNOWN);
