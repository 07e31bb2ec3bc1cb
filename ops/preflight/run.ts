/** Looks at what `up` would need, and judges it. Nothing is made. */
import { inspectConfig, type InspectIo, planFrom } from "../../config/resolve";
import { type AccountKeys, readStackFile, type StackFile } from "../../config/stack-file";
import { askFactory } from "./ask-factory";
import { platformFindings } from "../platforms/select";
import { stops } from "./finding";
import { factoryFindings } from "./judge-factory";
import type { Preflight } from "./report";

/** @throws ConfigError when the stack file has faults of every run. */
export async function preflight(file: string): Promise<Preflight> {
  const stackFile = readStackFile(file);
  const account = accountOf(stackFile, process.env["HCLOUD_TOKEN"] ?? "");
  const inspection = inspectConfig(stackFile.raw, io(stackFile, account));
  const plan = planFrom(inspection, "preview");
  const faults = inspection.laterFaults;
  const [seen, factory] = await Promise.all([platformFindings(plan, account), askFactory(plan)]);
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
