/** Looks at what `up` would need, and judges it. Nothing is made. */
import { ConfigError, type Fault, formatFault } from "../../base/faults";
import { messageOf, readUtf8 } from "../../base/text";
import { inspectConfig, resolveConfig, type ResolveIo } from "../../config/resolve";
import { readStackFile, type StackFile } from "../../config/stack-file";
import type { ClusterPlan, DockerClusterPlan, HetznerClusterPlan } from "../../config/types";
import { engineFromHere } from "../platforms/docker/engine";
import { gatherLabFacts, labNeeds } from "../platforms/docker/preflight/gather";
import { judgeLab, noEngine } from "../platforms/docker/preflight/judge";
import { accountFindings, askAccount } from "../platforms/hetzner/preflight";
import { withoutPassword } from "./address";
import { askFactory } from "./ask-factory";
import { type Finding, stops } from "./finding";
import { factoryFindings, type UseOfImages } from "./judge-factory";
import type { Preflight } from "./report";
import { type OtherKeys, otherKeys } from "./stack-keys";

/** @throws ConfigError when the stack file has faults of every run. */
export async function preflight(file: string): Promise<Preflight> {
  const stackFile = readStackFile(file);
  const others = otherKeys(readUtf8(file), process.env);
  const plan = resolveConfig(stackFile.raw, io(stackFile, "preview", others));
  const faults = beforeUp(stackFile, others);
  const [seen, factory] = await Promise.all([platformPart(plan, others), askFactory(plan)]);
  const findings = [...seen.findings, ...factoryFindings(plan, factory, seen.images)];
  return { file, about: seen.about, findings, faults, ok: faults.length === 0 && !stops(findings) };
}

const io = ({ stack, readText }: StackFile, phase: ResolveIo["phase"], others: OtherKeys): ResolveIo => ({
  ...{ stack, readText, phase, tokenPresent: others.tokenPresent },
  ...(others.token === undefined ? {} : { tokenLength: others.token.length }),
});

/** What the stack file lacks for `up` alone. */
function beforeUp(stackFile: StackFile, others: OtherKeys): Fault[] {
  const faultsIn = (phase: ResolveIo["phase"]) =>
    inspectConfig(stackFile.raw, io(stackFile, phase, others)).faults;
  const now = new Set(faultsIn("preview").map(formatFault));
  return faultsIn("up").filter((fault) => !now.has(formatFault(fault)));
}

interface Seen {
  readonly about: string;
  readonly findings: readonly Finding[];
  readonly images: UseOfImages;
}

async function platformPart(plan: ClusterPlan, others: OtherKeys): Promise<Seen> {
  switch (plan.platform) {
    case "docker":
      return lookAtLab(plan);
    case "hetzner":
      return lookAtAccount(plan, others);
  }
}

async function lookAtLab(plan: DockerClusterPlan): Promise<Seen> {
  try {
    const engine = engineFromHere(plan.docker);
    const findings = judgeLab(await gatherLabFacts(plan, engine), labNeeds(plan));
    const about = `Docker engine ${withoutPassword(engine.host)} (${engine.from})`;
    return { about, findings, images: "named" };
  } catch (error) {
    const seen = error instanceof ConfigError ? error.faults.map(formatFault).join("; ") : messageOf(error);
    const finding = noEngine(withoutPassword(seen));
    return { about: "Docker engine: none could be chosen", findings: [finding], images: "named" };
  }
}

const NOT_ASKED =
  "looked at the stack file and for a token; the account itself (limits, server types, capacity) is not asked";

async function lookAtAccount(plan: HetznerClusterPlan, { token, endpoint }: OtherKeys): Promise<Seen> {
  const about = `Hetzner account of ${plan.name}`;
  if (token === undefined) return { about: `${about}: ${NOT_ASKED}`, findings: [], images: "built" };
  const findings = accountFindings(plan, await askAccount(plan, { token, endpoint }));
  const asked = "asked for its server types and locations; limits and capacity are not";
  return { about: `${about}: ${asked}`, findings, images: "built" };
}
