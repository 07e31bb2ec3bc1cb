/** The lab's part of the preflight: the engine at hand, and whether it suits. */
import { ConfigError, formatFault } from "../../../../base/faults";
import { veiled } from "../../../../base/show";
import { messageOf } from "../../../../base/text";
import type { DockerClusterPlan } from "../../../../config/types";
import type { PlatformFindings } from "../../../preflight/report";
import { engineFromHere } from "../engine";
import { gatherLabFacts, labNeeds } from "./gather";
import { judgeLab, noEngine } from "./judge";

export async function lookAtLab(plan: DockerClusterPlan): Promise<PlatformFindings> {
  try {
    const engine = engineFromHere(plan.docker);
    const findings = judgeLab(await gatherLabFacts(plan, engine), labNeeds(plan));
    const about = `Docker engine ${veiled(engine.host)} (${engine.from})`;
    return { about, findings, images: "named" };
  } catch (error) {
    const seen = error instanceof ConfigError ? error.faults.map(formatFault).join("; ") : messageOf(error);
    const finding = noEngine(veiled(seen));
    return { about: "Docker engine: none could be chosen", findings: [finding], images: "named" };
  }
}
