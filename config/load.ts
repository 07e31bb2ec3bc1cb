import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import * as path from "node:path";

import * as pulumi from "@pulumi/pulumi";

import { type DockerEngine, findEngine } from "./docker-engine";
import { ConfigError, formatNote } from "../base/faults";
import { namespace, ownKeys, parseValue } from "./raw";
import { readRegularUtf8 } from "../base/text";
import { inspectConfig, planFrom, schematicKey } from "./resolve";
import type { ClusterPlan, DockerPlan } from "./types";

export interface HetznerAccount {
  /** Secret; absent in a preview without one. */
  readonly token?: pulumi.Output<string>;
  /** `hcloud:endpoint`, for rehearsals. */
  readonly endpoint?: string;
  /** `hcloud:pollInterval`, a Go duration. */
  readonly pollInterval?: string;
}

/** What is not in the plan: it comes from this machine, or is secret. */
export interface Credentials {
  /** Looks for the Docker engine on this machine, unless the plan names one. */
  readonly engine: (docker: Pick<DockerPlan, "host" | "context">) => DockerEngine;
  readonly hetzner: HetznerAccount;
  /** Whether some of the patches are kept secret in the stack file. */
  readonly secretPatches: boolean;
  /** Whether the schematic is, or a part of it. */
  readonly secretSchematic: boolean;
}

export interface LoadedConfig {
  readonly plan: ClusterPlan;
  readonly credentials: Credentials;
}

/** Reads the stack's configuration: the only place that does. Throws one RunError with every fault. */
export const loadPlan = (): LoadedConfig => inWords(read);

/** Of any other error than a RunError Pulumi shows the stack and every field as well. */
function inWords<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof ConfigError ? new pulumi.RunError(error.message) : error;
  }
}

function read(): LoadedConfig {
  const token = hetznerToken();
  const inspection = inspectConfig(rawConfig(), {
    readText: (file) => readRegularUtf8(path.resolve(process.cwd(), file)),
    stack: pulumi.getStack(),
    tokenPresent: token !== "",
    ...(token === "" ? {} : { tokenLength: token.length }),
  });
  const plan = planFrom(inspection, pulumi.runtime.isDryRun() ? "preview" : "up");
  // The schematic's resource shows its own.
  const notes = inspection.notes.filter(({ key }) => key !== schematicKey);
  for (const note of notes) void pulumi.log.warn(formatNote(note));
  return {
    plan,
    credentials: {
      hetzner: hetznerAccount(token),
      engine: (docker) => inWords(() => dockerEngine(docker)),
      secretPatches: isSecret("patches") || isSecret("workers"),
      secretSchematic: isSecret(schematicKey),
    },
  };
}

function isSecret(key: string): boolean {
  return secretKeys().includes(`${namespace}:${key}`);
}

/** Keys that the stack file keeps secret: Pulumi tells its programs through the environment. */
function secretKeys(): readonly string[] {
  const keys = parseValue(process.env["PULUMI_CONFIG_SECRET_KEYS"] ?? "[]");
  return Array.isArray(keys) ? keys.filter((key) => typeof key === "string") : [];
}

function hetznerToken(): string {
  return new pulumi.Config("hcloud").get("token") ?? process.env["HCLOUD_TOKEN"] ?? "";
}

function hetznerAccount(token: string): HetznerAccount {
  const hcloud = new pulumi.Config("hcloud");
  const endpoint = hcloud.get("endpoint");
  const pollInterval = hcloud.get("pollInterval");
  return {
    ...(token === "" ? {} : { token: pulumi.secret(token) }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(pollInterval === undefined ? {} : { pollInterval }),
  };
}

function dockerEngine({ host, context }: Pick<DockerPlan, "host" | "context">): DockerEngine {
  return findEngine({
    host,
    context,
    env: process.env,
    home: homedir(),
    readText: (file) => (existsSync(file) ? readFileSync(file, "utf8") : undefined),
  });
}

/** Every key of the namespace, so that an unknown one is seen. */
function rawConfig(): Record<string, unknown> {
  const own = Object.entries(ownKeys(pulumi.runtime.allConfig()));
  return Object.fromEntries(own.map(([key, value]) => [key, parseValue(value)]));
}
