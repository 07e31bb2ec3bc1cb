/** What `talos-fleet verify` prints. Pure. */
import { type Check, checkLine, type Result } from "./check";

const counted = (checks: readonly Check[], result: Result): number =>
  checks.filter((check) => check.result === result).length;

export const passes = (checks: readonly Check[]): boolean => counted(checks, "FAIL") === 0;

/** `ok` says that nothing failed; what was not tried is counted beside it. */
export const asJson = (stack: string, checks: readonly Check[]): string =>
  `${JSON.stringify({ stack, ok: passes(checks), notTried: counted(checks, "not tried"), checks }, null, 2)}\n`;

export const asText = (stack: string, checks: readonly Check[]): string =>
  `${[...checks.map(checkLine), `${stack}: ${verdict(checks)}`].join("\n")}\n`;

function verdict(checks: readonly Check[]): string {
  const [passed, failed] = [counted(checks, "pass"), counted(checks, "FAIL")];
  const untried = counted(checks, "not tried");
  const rest = untried > 0 ? `, ${untried} not tried` : "";
  return failed === 0 ? `all ${passed} pass${rest}` : `${failed} of ${passed + failed} FAIL${rest}`;
}
