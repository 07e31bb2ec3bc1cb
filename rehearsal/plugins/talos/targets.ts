/** Where a resource or function connects to, for how long it tries, and how it words a failure. */
import type { Props } from "../framework/types";
import { record, text } from "../framework/values";
import { parseDuration } from "./durations";
import type { NodeTarget } from "./node-client";

const tenMinutes = 600_000;

/** The time-out of a step in milliseconds; 10 minutes when none is given. */
export const timeoutOf = (props: Props, step: "create" | "read" | "update"): number =>
  parseDuration(text(record(props, "timeouts"), step) ?? "") ?? tenMinutes;

const hasFields = (props: Props): boolean => Object.keys(props).length > 0;

export function targetOf(props: Props): NodeTarget {
  const node = text(props, "node") ?? "";
  const writeOnly = record(props, "clientConfigurationWo");
  return {
    node,
    endpoint: text(props, "endpoint") ?? node,
    clientConfiguration: hasFields(writeOnly) ? writeOnly : record(props, "clientConfiguration"),
  };
}

/** A diagnostic as the bridge prints it: summary and detail. */
export async function summarised<T>(summary: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new Error(`${summary}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** `endpoint` is `node` when it is not given; nothing is known while one of them is unknown. */
export const withEndpoint = (planned: Props, config: Props): Props => {
  const node = text(planned, "node");
  return "endpoint" in config || node === undefined ? planned : { ...planned, endpoint: node };
};

/** Exactly one of a property and its write-only twin must be given; the provider's words. */
export function oneOf(inputs: Props, property: string, words: { name: string; terraformName: string }) {
  const [plain, writeOnly] = [property in inputs, `${property}Wo` in inputs];
  const { name, terraformName } = words;
  if (plain === writeOnly) {
    const reason = plain
      ? `Conflicting ${name}. Only one of ${terraformName} or ${terraformName}_wo can be set, not both`
      : `Missing ${name}. Exactly one of ${terraformName} or ${terraformName}_wo must be set`;
    return [{ reason }];
  }
  return [];
}
