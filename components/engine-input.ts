/** What an operation needs to read the logs of a lab's containers: the keys, not this machine's answer to them. Pure. */
import type { ClusterPlan } from "../config/types";

export function engineInput(plan: ClusterPlan): { engine?: { host?: string; context?: string } } {
  if (plan.platform !== "docker") return {};
  const { host, context } = plan.docker;
  return {
    engine: { ...(host === undefined ? {} : { host }), ...(context === undefined ? {} : { context }) },
  };
}
