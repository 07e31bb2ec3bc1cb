import { readFileSync } from "node:fs";
import * as path from "node:path";

import { isMap, isScalar, parseDocument } from "yaml";

import { ConfigError } from "./errors";
import { namespace, parseValue } from "./raw";
import { readDocuments, YamlError } from "./yaml";

export interface StackFile {
  /** `lab` of Pulumi.lab.yaml. */
  readonly stack: string;
  /** The keys of this program's namespace, as the program itself would get them. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** Reads a file named in the stack file, relative to its folder. */
  readonly readText: (file: string) => string;
}

const secretPlaceholder = "(encrypted)";

/** Reads a Pulumi.<stack>.yaml without Pulumi. Secrets are not decrypted. Throws ConfigError when it is none. */
export function readStackFile(file: string): StackFile {
  const folder = path.dirname(path.resolve(file));
  const stack = /^Pulumi\.(.+)\.ya?ml$/.exec(path.basename(file))?.[1];
  if (stack === undefined) {
    throw badFile(file, "is not the name of a stack file", "give a file named Pulumi.STACK.yaml");
  }
  return {
    stack,
    raw: rawKeys(file, readFile(file)),
    readText: (name) => readFileSync(path.resolve(folder, name), "utf8"),
  };
}

function readFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw badFile(file, "cannot be read", "give the path of a stack file");
  }
}

/** Keys without a namespace are the project's own; other namespaces belong to providers. */
function rawKeys(file: string, text: string): Record<string, unknown> {
  const entries = Object.entries(configSection(file, text));
  const own = entries
    .map(([key, value]) => ({ key: key.includes(":") ? key : `${namespace}:${key}`, value }))
    .filter(({ key }) => key.startsWith(`${namespace}:`));
  return Object.fromEntries(
    own.map(({ key, value }) => [key.slice(namespace.length + 1), asPulumiGives(value)]),
  );
}

function configSection(file: string, text: string): Record<string, unknown> {
  try {
    const [document] = readDocuments(withTexts(text));
    const { config = {} } = (document ?? {}) as { config?: Record<string, unknown> | null };
    return config ?? {};
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw badFile(file, `is not YAML: line ${error.line}: ${error.message}`, "correct that line");
  }
}

/** Pulumi takes a key's plain value as text: `1.30` stays what it is. */
function withTexts(text: string): string {
  const document = parseDocument(text);
  const config = document.get("config");
  if (document.errors.length > 0 || !isMap(config)) return text;
  for (const { value } of config.items) {
    if (isScalar(value) && value.source !== undefined && value.value !== null) {
      value.value = value.source;
      value.type = "QUOTE_DOUBLE";
    }
  }
  return document.toString();
}

function asPulumiGives(value: unknown): unknown {
  const open = withoutSecrets(value);
  return typeof open === "string" ? parseValue(open) : open;
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as Record<string, unknown>);
  const isSecret = entries.length === 1 && entries[0]?.[0] === "secure";
  return isSecret
    ? secretPlaceholder
    : Object.fromEntries(entries.map(([key, item]) => [key, withoutSecrets(item)]));
}

function badFile(file: string, rule: string, repair: string): ConfigError {
  return new ConfigError([{ key: "stack file", value: file, rule, repair }]);
}
