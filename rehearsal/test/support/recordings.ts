/** What real plugins were asked and answered. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonObject } from "../../plugins/framework/values";
import type { Method, PluginClient } from "./plugin-client";

export interface Recording {
  /** `<type> <method> [preview] [outcome]`, as in `hcloud:index/server:Server Create preview`. */
  readonly call: string;
  readonly when?: string;
  readonly case?: string;
  readonly request: JsonObject;
  readonly response?: JsonObject | null;
  readonly failures?: readonly { readonly reason: string }[];
  readonly errors?: readonly string[];
}

const folder = join(__dirname, "../recordings");

/** Lines of `<plugin>.jsonl` or `errors.jsonl`; texts that were cut are filled up to their length. */
export function readRecordings(file: string, wanted = /./): Recording[] {
  const lines = readFileSync(join(folder, `${file}.jsonl`), "utf8")
    .trimEnd()
    .split("\n");
  const recordings = lines.map((line) => JSON.parse(line) as Recording);
  return recordings
    .filter(({ call, case: name }) => wanted.test(name ?? call))
    .map((recording) => ({ ...recording, request: fillUp(recording.request) as JsonObject }));
}

function fillUp(value: Json): Json {
  if (typeof value === "string")
    return value.replace(/^<(\d+) characters>$/, (_match, length: string) => "x".repeat(Number(length)));
  if (Array.isArray(value)) return value.map(fillUp);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillUp(item)]));
}

const bookkeeping = new Set(["__meta", "__defaults", "__pulumi_raw_state_delta"]);

/** Without the bridge's own bookkeeping, and with `ignored` keys left out at the top. */
export function comparable(value: Json | undefined, ignored: readonly string[] = []): Json {
  if (Array.isArray(value)) return value.map((item) => comparable(item));
  if (typeof value !== "object" || value === null) return value ?? null;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !bookkeeping.has(key) && !ignored.includes(key))
      .map(([key, item]) => [key, comparable(item)]),
  );
}

/** The answer with each text replaced that the recording holds only as `<…>`. */
function maskedLike(expected: Json, actual: Json): Json {
  if (typeof expected === "string" && /^<.*>$/.test(expected)) return expected;
  if (Array.isArray(expected) && Array.isArray(actual))
    return actual.map((item, index) => maskedLike(expected[index] ?? null, item));
  if (typeof expected !== "object" || expected === null || typeof actual !== "object" || actual === null)
    return actual;
  if (Array.isArray(expected) || Array.isArray(actual)) return actual;
  return Object.fromEntries(
    Object.entries(actual).map(([key, item]) => [key, maskedLike(expected[key] ?? null, item)]),
  );
}

/** The method of a recorded call. */
function methodOf({ call }: Recording): Method {
  const name = call.split(" ")[1] ?? "";
  return (name.charAt(0).toLowerCase() + name.slice(1)) as Method;
}

/** `type method when #n`, to name a test. */
export const titleOf = (recording: Recording, index: number): string =>
  `${recording.call} (${recording.when ?? recording.case ?? ""}, ${index + 1})`;

/** Asks what was asked and gives both answers, ready for toEqual. */
export async function replay(client: PluginClient, recording: Recording, ignored: readonly string[] = []) {
  const expected = comparable(recording.response ?? {}, ignored);
  const actual = comparable(await client.ask(methodOf(recording), recording.request), ignored);
  return { expected, actual: maskedLike(expected, actual) };
}

export { startPlugin, type PluginClient } from "./plugin-client";
