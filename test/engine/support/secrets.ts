/** The actual secrets of a stack that is up, and where they turn up. */
import { parse } from "yaml";

import type { Session } from "../../../rehearsal/session";
import { succeeded } from "./open";

/** Marks a secret in an exported state. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

export type Secrets = ReadonlyMap<string, string>;

/** Public by nature though they travel with secrets: certificates, names and the like. */
const PUBLIC = /(\.cert|[cC]ertificate|caCertificate|certificate-authority-data|certificate-data|notAfter)$/;
/** What a machine secrets bundle and client configurations hold that must never be seen. */
const PRIVATE = /(\.key|Key|key-data|token|[sS]ecret|EncryptionSecret)$/;

type Found = Map<string, string>;

function collect(value: unknown, path: string, found: Found): void {
  if (typeof value === "string") {
    if (PRIVATE.test(path) && !PUBLIC.test(path) && value.length >= 16) found.set(path, value);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) collect(item, `${path}.${key}`, found);
}

/** Opens secret values: `{ SIGNATURE: ..., plaintext: "JSON" }` becomes what it holds. */
function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened);
  if (typeof value !== "object" || value === null) return value;
  const record = value as Readonly<Record<string, unknown>>;
  const { plaintext } = record;
  if (SIGNATURE in record && typeof plaintext === "string") return opened(JSON.parse(plaintext));
  return Object.fromEntries(Object.entries(record).map(([key, item]) => [key, opened(item)]));
}

interface Exported {
  readonly deployment: {
    readonly resources: readonly { readonly type: string; readonly outputs?: unknown }[];
  };
}

function fromYaml(text: unknown, path: string, found: Found): void {
  collect(parse(String(text)), path, found);
}

/** Every secret of the stack by where it stands: CA keys, tokens, client keys, the Hetzner token, the passphrase. */
export async function secretsOf(session: Session): Promise<Secrets> {
  const exported = succeeded(await session.pulumi(["stack", "export", "--show-secrets"]));
  const { resources } = (JSON.parse(exported.stdout) as Exported).deployment;
  const found: Found = new Map();
  for (const { type, outputs } of resources) {
    if (type.startsWith("talos:")) collect(opened(outputs), type, found);
  }
  const { kubeconfig, talosconfig } = await session.outputs({ showSecrets: true });
  fromYaml(kubeconfig, "kubeconfig", found);
  for (const [name, context] of Object.entries((parse(String(talosconfig)) as TalosConfig).contexts))
    found.set(`talosconfig.${name}.key`, context.key);
  for (const [key, value] of Object.entries(session.world.secrets)) found.set(key, value);
  found.set("passphrase", session.env["PULUMI_CONFIG_PASSPHRASE"] ?? "");
  return found;
}

interface TalosConfig {
  readonly contexts: Readonly<Record<string, { readonly key: string }>>;
}

const isText = (buffer: Buffer): boolean => !buffer.toString("utf8").includes("\uFFFD");

/** A secret as it is, in base64, as what base64 hides, and line by line where it is a PEM block. */
function forms(secret: string): string[] {
  const decoded = Buffer.from(secret, "base64");
  const plain = isText(decoded) && decoded.length >= 16 ? [decoded.toString("utf8").trim()] : [];
  const lines = [secret, ...plain]
    .filter((text) => text.includes("\n"))
    .flatMap((text) => text.split("\n"))
    .filter((line) => line.length >= 40 && !line.startsWith("-----"));
  const whole = [secret, ...plain].flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);
  const encoded = Buffer.from(secret).toString("base64").replace(/=+$/, "");
  return [...new Set([...whole, ...lines, encoded, Buffer.from(secret).toString("hex")])];
}

/** Finds any form of any secret; gives the names of those found in a text. */
export function seeker(secrets: Secrets): (text: string) => string[] {
  const all = [...secrets].map(([name, secret]) => [name, forms(secret)] as const);
  return (text) => all.filter(([, some]) => some.some((form) => text.includes(form))).map(([name]) => name);
}
