/** Looks at what `up` would need, and judges it. Nothing is made. */
import { ConfigError, formatFault } from "../../base/faults";
import { messageOf } from "../../base/text";
import { inspectConfig, type InspectIo, planFrom } from "../../config/resolve";
import { type AccountKeys, readStackFile, type StackFile } from "../../config/stack-file";
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

/** @throws ConfigError when the stack file has faults of every run. */
export async function preflight(file: string): Promise<Preflight> {
  const stackFile = readStackFile(file);
  const account = accountOf(stackFile, process.env["HCLOUD_TOKEN"] ?? "");
  const inspection = inspectConfig(stackFile.raw, io(stackFile, account));
  const plan = planFrom(inspection, "preview");
  const faults = inspection.laterFaults;
  const [seen, factory] = await Promise.all([platformPart(plan, account), askFactory(plan)]);
  const findings = [...seen.findings, ...factoryFindings(plan, factory, seen.images)];
  return { file, about: seen.about, findings, faults, ok: faults.length === 0 && !stops(findings) };
}

/** A token of the environment stands in for one that the file lacks; one that is encrypted is there, and unknown. */
const accountOf = ({ account }: StackFile, fromEnv: string): AccountKeys =>
  account.tokenPresent || fromEnv === "" ? account : { ...account, tokenPresent: true, token: fromEnv };

const io = ({ stack, readText }: StackFile, { tokenPresent, token }: AccountKeys): InspectIo => ({
  ...{ stack, readText, tokenPresent },
  ...(token === undefined ? {} : { tokenLength: token.length }),
});

interface Seen {
  readonly about: string;
  readonly findings: readonly Finding[];
  readonly images: UseOfImages;
}

async function platformPart(plan: ClusterPlan, account: AccountKeys): Promise<Seen> {
  switch (plan.platform) {
    case "docker":
      return lookAtLab(plan);
    case "hetzner":
      return lookAtAccount(plan, account);
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

async function lookAtAccount(plan: HetznerClusterPlan, { token, endpoint }: AccountKeys): Promise<Seen> {
  const about = `Hetzner account of ${plan.name}`;
  if (token === undefined) return { about: `${about}: ${NOT_ASKED}`, findings: [], images: "built" };
  const findings = accountFindings(plan, await askAccount(plan, { token, endpoint }));
  const asked = "asked for its server types and locations; limits and capacity are not";
  return { about: `${about}: ${asked}`, findings, images: "built" };
}
