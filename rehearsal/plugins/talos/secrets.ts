/** talos:machine/secrets:Secrets */
import { readFile } from "node:fs/promises";
import type { Props, ResourceStandIn } from "../framework/types";
import { record, text, unknown } from "../framework/values";
import { expiryOf } from "./certificates";
import { compareVersions } from "./contract";
import { plannedResource, type PlanSides } from "./planned-resource";
import { secretsSchema } from "./schemas";
import {
  generateClientConfiguration,
  generateSecrets,
  machineSecretsOf,
  secretsFileOf,
} from "./secrets-bundle";
import type { Talosctl } from "./talosctl";

/** Major and minor of the Talos that plugin 0.8.1 is built on. */
const defaultVersion = "v1.13";

/** Less than a month is left: the provider makes a new certificate then, and only when somebody runs it. */
function needsRenewal(prior: Props, now: Date): boolean {
  const expiry = expiryOf(text(record(prior, "clientConfiguration"), "clientCertificate"));
  const inAMonth = new Date(now);
  inAMonth.setMonth(inAMonth.getMonth() + 1);
  return expiry !== undefined && expiry < inAMonth;
}

function modifyPlan(planned: Props, { config, prior }: PlanSides, now: Date): Props {
  const versioned =
    text(planned, "talosVersion") === undefined && !("talosVersion" in config)
      ? { ...planned, talosVersion: defaultVersion }
      : planned;
  if (prior === undefined || !needsRenewal(prior, now)) return versioned;
  const fields = { caCertificate: unknown, clientCertificate: unknown, clientKey: unknown };
  return { ...versioned, clientConfiguration: fields };
}

const replaces = (planned: Props, prior: Props): string[] => {
  const [wanted, had] = [text(planned, "talosVersion"), text(prior, "talosVersion")];
  return wanted !== undefined && had !== undefined && compareVersions(wanted, had) < 0
    ? ["talosVersion"]
    : [];
};

const pick = ({ machineSecrets, clientConfiguration }: Props): Props => ({
  ...(machineSecrets === undefined ? {} : { machineSecrets }),
  ...(clientConfiguration === undefined ? {} : { clientConfiguration }),
});

/** Secrets made by talosctl; `now` is for tests of the renewal. */
export function secretsResource(talosctl: Talosctl, now: () => Date = () => new Date()): ResourceStandIn {
  const fromFile = async (file: string): Promise<Props> => ({
    machineSecrets: machineSecretsOf(file),
    clientConfiguration: await generateClientConfiguration(talosctl, file),
  });
  return plannedResource(secretsSchema, {
    modifyPlan: (planned, sides) => modifyPlan(planned, sides, now()),
    replaces,
    create: async (planned) => {
      const file = await generateSecrets(talosctl, text(planned, "talosVersion") ?? defaultVersion);
      return { id: "machine_secrets", state: await fromFile(file) };
    },
    update: async (_planned, prior) => {
      if (!needsRenewal(prior, now())) return pick(prior);
      const file = secretsFileOf(record(prior, "machineSecrets"));
      return { ...pick(prior), clientConfiguration: await generateClientConfiguration(talosctl, file) };
    },
    import: async (path) => {
      const file = await readFile(path, "utf8");
      const old = /^\s*aescbcencryptionsecret:/m.test(file);
      return { ...(await fromFile(file)), talosVersion: old ? "v1.2" : "v1.3" };
    },
  });
}
