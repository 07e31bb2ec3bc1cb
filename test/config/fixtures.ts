import { readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";

import { parse } from "yaml";

import { ConfigError } from "../../base/faults";
import { readRegularUtf8 } from "../../base/text";
import { inspectConfig, resolveConfig } from "../../config/resolve";
import type { Inspection, ResolveIo } from "../../config/resolve";
import type { ClusterPlan } from "../../config/types";

export type Raw = Readonly<Record<string, unknown>>;

export interface Fixture {
  readonly name: string;
  readonly raw: Raw;
  readonly io: ResolveIo;
  /** The fault lines of the comment at the top, whole. */
  readonly expected: readonly string[];
}

/** Patches are found by their bare name among the fixtures, everything else from the project's folder. */
function readText(file: string): string {
  const folder = /^[\w.-]+\.(yaml|txt)$|^\.$/.test(file)
    ? path.join(__dirname, "patches")
    : path.join(__dirname, "../..");
  return readRegularUtf8(path.resolve(folder, file));
}

function io(changes: Partial<ResolveIo> = {}): ResolveIo {
  return { stack: "lab", phase: "preview", readText, ...changes };
}

export function valid(name: "lab" | "fleet"): Raw {
  return parse(readFileSync(path.join(__dirname, "valid", `${name}.yaml`), "utf8")) as Raw;
}

/** A valid configuration with some keys changed; null takes a key away. */
export function changed(name: "lab" | "fleet", keys: Raw): Raw {
  return Object.fromEntries(
    Object.entries({ ...valid(name), ...keys }).filter(([, value]) => value !== null),
  );
}

export function resolve(raw: Raw, changes: Partial<ResolveIo> = {}): ClusterPlan {
  return resolveConfig(raw, io(changes));
}

export function inspect(raw: Raw, changes: Partial<ResolveIo> = {}): Inspection {
  return inspectConfig(raw, io(changes));
}

/** The faults of a configuration, a line each. */
export function faultLines(raw: Raw, changes: Partial<ResolveIo> = {}): string[] {
  try {
    resolve(raw, changes);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split("\n").slice(1);
  }
}

/** Every file of invalid/: comments say what it changes (`base`), how it is read, and what is expected. */
export function fixtures(): Fixture[] {
  const folder = path.join(__dirname, "invalid");
  return readdirSync(folder).map((file) => {
    const text = readFileSync(path.join(folder, file), "utf8");
    const base = setting(text, "base") === "fleet" ? "fleet" : "lab";
    const token = setting(text, "token");
    return {
      name: file,
      raw: changed(base, (parse(text) ?? {}) as Raw),
      io: io({
        stack: setting(text, "stack") ?? base,
        phase: setting(text, "phase") === "up" ? "up" : "preview",
        tokenPresent: token !== "none",
        ...(token === undefined || token === "none" ? {} : { tokenLength: Number(token) }),
      }),
      expected: [...text.matchAll(/^#   (.*)$/gm)].map(([, line = ""]) => line),
    };
  });
}

function setting(text: string, name: string): string | undefined {
  return new RegExp(`^# ${name}: (.*)$`, "m").exec(text)?.[1];
}
