/** How long the Kubernetes plugin of Pulumi waits for an answer of the API: it takes that from the environment alone. */

/** Whole seconds; unset or 0: client-go's own limits. */
export const CLIENT_TIMEOUT = "PULUMI_K8S_CLIENT_TIMEOUT";

/**
 * An API that drops packets may hold up a preview for seconds only; a fresh API server takes longer than that for its first
 * OpenAPI document, which `up`, refresh and destroy must wait for. `bin/lab` sets the same.
 */
export const clientTimeouts = { preview: 2, change: 120 } as const;

/** What client-go waits for the schema when nothing is set. */
const SCHEMA_S = 32;

/** Seconds that the plugin of this run gives the API for its schema; a limit too short for any `up` counts for nothing. */
export function schemaTimeout(env: NodeJS.ProcessEnv): number {
  const given = Number(env[CLIENT_TIMEOUT] ?? "");
  return Number.isFinite(given) ? Math.max(given, SCHEMA_S) : SCHEMA_S;
}
