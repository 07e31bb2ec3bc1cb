/** How long client-go waits, and what it says when it waited too long. */

/** The discovery client's own limit for `/openapi/v2`, when none is set. */
const DISCOVERY_MS = 32_000;

export interface Limits {
  /** For `/openapi/v2`. */
  readonly schemaMs: number;
  /** For everything else; undefined: as long as it takes. */
  readonly requestMs: number | undefined;
}

/** PULUMI_K8S_CLIENT_TIMEOUT: whole seconds for each request; 0 or unset is no limit. Throws in the plugin's words. */
export function clientLimits(env: NodeJS.ProcessEnv = process.env): Limits {
  const given = env["PULUMI_K8S_CLIENT_TIMEOUT"] ?? "";
  if (given !== "" && !/^[+-]?\d+$/.test(given)) {
    const cause = `strconv.Atoi: parsing ${JSON.stringify(given)}: invalid syntax`;
    throw new Error(`invalid value specified for PULUMI_K8S_CLIENT_TIMEOUT: ${cause}`);
  }
  const ms = Number(given) * 1000;
  return ms > 0 ? { schemaMs: ms, requestMs: ms } : { schemaMs: DISCOVERY_MS, requestMs: undefined };
}

/** As client-go writes it into the query of what it asks. */
export const timeoutQuery = (ms: number): string => `timeout=${goDuration(ms / 1000)}`;

function goDuration(seconds: number): string {
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor((seconds % 3600) / 60),
    seconds % 60,
  ];
  if (hours > 0) return `${hours}h${minutes}m${rest}s`;
  return minutes > 0 ? `${minutes}m${rest}s` : `${rest}s`;
}

export const TIMED_OUT = {
  headers: "context deadline exceeded (Client.Timeout exceeded while awaiting headers)",
  body: "context deadline exceeded (Client.Timeout or context cancellation while reading body)",
} as const;
