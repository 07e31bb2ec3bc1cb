import * as path from "node:path";

import { ConfigError } from "../base/faults";
import { encrypted, namespace, ownKeys, parseValue } from "./raw";
import { readRegularUtf8, whyUnreadable } from "../base/text";
import { readFirstDocument, YamlError } from "../base/yaml";

export interface StackFile {
  /** `lab` of Pulumi.lab.yaml. */
  readonly stack: string;
  /** The keys of this program's namespace, as the program itself would get them. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** Reads a file named in the stack file, relative to its folder. */
  readonly readText: (file: string) => string;
  /** The account's keys; nothing of them is ever printed. */
  readonly account: AccountKeys;
}

/** What a stack file says of the Hetzner account. */
export interface AccountKeys {
  /** The token may be encrypted, and then it is there and unknown. */
  readonly tokenPresent: boolean;
  readonly token?: string;
  readonly endpoint?: string;
}

/** Reads a Pulumi.<stack>.yaml without Pulumi. Secrets are not decrypted. Throws ConfigError when it is none. */
export function readStackFile(file: string): StackFile {
  const folder = path.dirname(path.resolve(file));
  const stack = /^Pulumi\.(.+)\.ya?ml$/.exec(path.basename(file))?.[1];
  if (stack === undefined) {
    throw badFile(file, "is not the name of a stack file", "give a file named Pulumi.STACK.yaml");
  }
  const keys = configSection(file, readFile(file));
  requireOneOfEach(file, keys);
  return {
    stack,
    raw: rawKeys(keys),
    readText: (name) => readRegularUtf8(path.resolve(folder, name)),
    account: accountKeys(keys),
  };
}

function readFile(file: string): string {
  try {
    return readRegularUtf8(file);
  } catch (error) {
    throw badFile(file, `cannot be read (${whyUnreadable(error)})`, "give the path of a stack file");
  }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** A text in the clear; what is encrypted or no text is none. */
const plain = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

function accountKeys(keys: Readonly<Record<string, unknown>>): AccountKeys {
  const [token, endpoint] = [plain(keys["hcloud:token"]), plain(keys["hcloud:endpoint"])];
  return {
    tokenPresent: isGiven(keys["hcloud:token"]),
    ...(token === undefined ? {} : { token }),
    ...(endpoint === undefined ? {} : { endpoint }),
  };
}

/** `platform` and `talos-fleet:platform` are one key to Pulumi, and nothing says which of the two it takes. */
function requireOneOfEach(file: string, keys: Readonly<Record<string, unknown>>): void {
  const twice = Object.keys(keys).filter(
    (key) => !key.includes(":") && Object.hasOwn(keys, `${namespace}:${key}`),
  );
  if (twice.length === 0) return;
  throw new ConfigError(
    twice.map((key) => ({
      key,
      value: file,
      rule: `stands there as ${namespace}:${key} too, and both are one key`,
      repair: "keep one of them",
    })),
  );
}

/** Keys without a namespace are the project's own. */
function rawKeys(keys: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(keys).map(([key, value]): [string, unknown] => [
    key.includes(":") ? key : `${namespace}:${key}`,
    asPulumiGives(value),
  ]);
  return ownKeys(Object.fromEntries(entries));
}

function configSection(file: string, text: string): Record<string, unknown> {
  try {
    const root = mapping(file, "the file", readFirstDocument(text));
    return mapping(file, "config", root["config"]);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw badFile(file, `is not YAML: line ${error.line}: ${error.message}`, "correct that line");
  }
}

/** Nothing at all is an empty mapping, as it is for Pulumi. */
function mapping(file: string, what: string, value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return value as Record<string, unknown>;
  const found = Array.isArray(value) ? "a list" : typeof value === "string" ? "a text" : "a single value";
  throw badFile(file, `${what} must be a mapping and is ${found}`, "write `config:` and the keys under it");
}

/** Pulumi writes a key's plain value as text, after reading it as YAML: an unquoted 1.10 becomes `1.1`. */
function asPulumiGives(value: unknown): unknown {
  const open = withoutSecrets(value);
  if (open === null) return "";
  if (typeof open === "number" || typeof open === "boolean") return String(open);
  return typeof open === "string" ? parseValue(open) : open;
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as Record<string, unknown>);
  const isSecret = entries.length === 1 && entries[0]?.[0] === "secure";
  return isSecret ? encrypted : Object.fromEntries(entries.map(([key, item]) => [key, withoutSecrets(item)]));
}

function badFile(file: string, rule: string, repair: string): ConfigError {
  return new ConfigError([{ key: "stack file", value: file, rule, repair }]);
}
