/** The five resources as the provider's schema at v0.8.1 has them. */
import type { PropertySchema, ResourceSchema } from "../framework/bridged-schema";
import { versionFault } from "./contract";
import { durationFault } from "./durations";

/** `keepsState`: a computed value that stays as it was when something else changes. */
export interface Attribute extends PropertySchema {
  readonly keepsState?: boolean;
  readonly fields?: Attributes;
}
export type Attributes = Readonly<Record<string, Attribute>>;
export interface TalosSchema extends ResourceSchema {
  readonly properties: Attributes;
}

const text: Attribute = { type: "string" };
const given: Attribute = { type: "string", required: true };
const hidden: Attribute = { type: "string", secret: true };
const output: Attribute = { type: "string", computed: "output" };
const filledIn: Attribute = { type: "string", computed: "optional" };
const object = (fields: Attributes, rest: Partial<Attribute> = {}): Attribute => ({
  type: "object",
  fields,
  ...rest,
});

const clientConfigurationFields: Attributes = {
  caCertificate: given,
  clientCertificate: given,
  clientKey: { ...given, secret: true },
};
const writeOnlyFields: Attributes = {
  caCertificate: { ...given, secret: true },
  clientCertificate: { ...given, secret: true },
  clientKey: { ...given, secret: true },
};
const duration: Attribute = { type: "string", validate: durationFault };
const timeouts = (...names: string[]): Attribute =>
  object(Object.fromEntries(names.map((name) => [name, duration])));

const pair = object({ cert: text, key: hidden });
const machineSecretsFields: Attributes = {
  certs: object({
    etcd: pair,
    k8s: pair,
    k8sAggregator: pair,
    k8sServiceaccount: object({ key: hidden }),
    os: pair,
  }),
  cluster: object({ id: text, secret: hidden }),
  secrets: object({
    aescbcEncryptionSecret: hidden,
    bootstrapToken: hidden,
    secretboxEncryptionSecret: hidden,
  }),
  trustdinfo: object({ token: hidden }),
};

const applyModes = ["auto", "reboot", "no_reboot", "staged", "staged_if_needing_reboot"];
const applyModeFault = (value: unknown, name: string): string | undefined =>
  typeof value === "string" && !applyModes.includes(value)
    ? `Invalid Attribute Value Match. Attribute ${name} value must be one of: [${applyModes.map((mode) => JSON.stringify(mode)).join(" ")}], got: ${JSON.stringify(value)}`
    : undefined;

const schema = (properties: Attributes): TalosSchema => ({ kind: "framework", properties });

export const secretsSchema = schema({
  clientConfiguration: object(
    { caCertificate: text, clientCertificate: text, clientKey: hidden },
    { computed: "output" },
  ),
  machineSecrets: object(machineSecretsFields, { computed: "output" }),
  talosVersion: { ...filledIn, validate: versionFault },
});

export const configurationApplySchema = schema({
  applyMode: { ...text, default: "auto", validate: applyModeFault },
  clientConfiguration: object(clientConfigurationFields),
  clientConfigurationWo: object(writeOnlyFields, { secret: true }),
  configPatches: { type: "list" },
  endpoint: filledIn,
  machineConfiguration: { ...output, secret: true, keepsState: true },
  machineConfigurationHash: { ...output, keepsState: true },
  machineConfigurationInput: hidden,
  machineConfigurationInputWo: hidden,
  node: given,
  onDestroy: object({
    graceful: { type: "bool", default: true },
    reboot: { type: "bool", default: false },
    reset: { type: "bool", default: false },
  }),
  resolvedApplyMode: output,
  timeouts: timeouts("create", "update", "delete"),
});

export const bootstrapSchema = schema({
  clientConfiguration: object(clientConfigurationFields),
  clientConfigurationWo: object(writeOnlyFields, { secret: true }),
  endpoint: filledIn,
  node: given,
  timeouts: timeouts("create"),
});

export const kubeconfigSchema = schema({
  certificateRenewalDuration: { ...text, default: "720h" },
  clientConfiguration: object(clientConfigurationFields, { required: true }),
  endpoint: filledIn,
  kubeconfigRaw: { ...output, secret: true, keepsState: true },
  kubernetesClientConfiguration: object(
    { caCertificate: text, clientCertificate: text, clientKey: hidden, host: text },
    { computed: "output", keepsState: true },
  ),
  node: given,
  timeouts: timeouts("create", "update"),
});

export const schematicSchema = schema({ schematic: text });
