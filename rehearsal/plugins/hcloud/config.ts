/** The hcloud plugin's provider configuration: its rules and what becomes of it. */
import {
  Secret,
  type CheckRequest,
  type CheckResponse,
  type DiffRequest,
  type DiffResponse,
  type Props,
} from "../framework/types";
import { hasUnknown, plainProps, same, text } from "../framework/values";
import type { ClientConfig } from "./client";

const publicEndpoint = "https://api.hetzner.cloud/v1";
const keys = new Set([
  "token",
  "endpoint",
  "endpointHetzner",
  "pollInterval",
  "pollFunction",
  "version",
  "pluginDownloadURL",
]);

export interface Environment {
  readonly HCLOUD_TOKEN?: string | undefined;
  readonly HCLOUD_ENDPOINT?: string | undefined;
}

const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Milliseconds of a Go duration such as `1m30s`; undefined when it is none. */
function goDuration(duration: string): number | undefined {
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?)(ns|us|ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== duration) return undefined;
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? ""] ?? 0), 0);
}

const failure = (reason: string, name: string, key: string) => ({
  reason: `could not validate provider configuration: ${reason}. Examine values at '${name}.${key}'.`,
});

function tokenFaults(token: string | undefined, name: string) {
  if (token === undefined) {
    const advice =
      "Provider is missing a required configuration key, try `pulumi config set hcloud:token`: " +
      "The Hetzner Cloud API token, can also be specified with the HCLOUD_TOKEN environment variable.";
    return [{ reason: advice }];
  }
  return token.length === 64
    ? []
    : [failure("entered token is invalid (must be exactly 64 characters long)", name, "token")];
}

/** As the bridge: the token must have 64 characters, also in a preview, and comes back secret. */
export function checkConfig(request: CheckRequest, environment: Environment): CheckResponse {
  const news = plainProps(request.news);
  const token = text(news, "token") ?? environment.HCLOUD_TOKEN;
  const interval = text(news, "pollInterval");
  const failures = [
    ...(hasUnknown(news["token"]) ? [] : tokenFaults(token, request.name)),
    ...(interval === undefined || goDuration(interval) !== undefined
      ? []
      : [failure(`time: invalid duration "${interval}"`, request.name, "pollInterval")]),
    ...Object.keys(news)
      .filter((key) => !keys.has(key))
      .map((key) => failure("Invalid or unknown key", request.name, key)),
  ];
  const kept = news["token"] ?? token;
  return { inputs: { ...news, ...(kept === undefined ? {} : { token: new Secret(kept) }) }, failures };
}

/** Pulumi compares the inputs itself; no key replaces the provider. */
export const diffConfig = async ({ olds, news }: DiffRequest): Promise<DiffResponse> => ({
  changes: "DIFF_UNKNOWN",
  replaces: [],
  diffs: Object.keys({ ...olds, ...news })
    .filter((key) => !same(olds[key], news[key]))
    .sort(),
  detailedDiff: {},
  deleteBeforeReplace: false,
  hasDetailedDiff: false,
});

export function clientConfig(args: Props, environment: Environment, retryBaseMs: number): ClientConfig {
  const pollInterval = text(args, "pollInterval") ?? "500ms";
  return {
    endpoint: text(args, "endpoint") ?? environment.HCLOUD_ENDPOINT ?? publicEndpoint,
    token: text(args, "token") ?? environment.HCLOUD_TOKEN ?? "",
    pollIntervalMs: goDuration(pollInterval) ?? 500,
    pollFunction: text(args, "pollFunction") === "constant" ? "constant" : "exponential",
    retryBaseMs,
  };
}
