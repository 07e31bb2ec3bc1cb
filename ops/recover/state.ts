/** What a stack's export says, as far as recovering needs it. Pure. */
import { z } from "zod";

const resource = z.looseObject({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  provider: z.string().optional(),
  inputs: z.record(z.string(), z.unknown()).default({}),
});

const exported = z.looseObject({
  deployment: z.looseObject({
    resources: z.array(resource).default([]),
    pending_operations: z.array(z.looseObject({ type: z.string(), resource })).default([]),
  }),
});

export type StateResource = z.infer<typeof resource>;

export interface Pending {
  /** `creating`, `updating`, `deleting`, `reading`, ... */
  readonly operation: string;
  readonly resource: StateResource;
}

export interface State {
  readonly resources: readonly StateResource[];
  readonly pending: readonly Pending[];
}

/** From `pulumi stack export --show-secrets`: secrets are opened, so nothing of it may be printed. */
export function readState(text: string): State {
  const { deployment } = exported.parse(opened(JSON.parse(text)));
  return {
    resources: deployment.resources,
    pending: deployment.pending_operations.map(({ type, resource: of }) => ({
      operation: type,
      resource: of,
    })),
  };
}

/** Pulumi's mark of a secret in a state. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened);
  if (typeof value !== "object" || value === null) return value;
  const { plaintext, ...rest } = value as Record<string, unknown>;
  if (SIGNATURE in rest && typeof plaintext === "string") return opened(JSON.parse(plaintext));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, opened(item)]));
}

/** The (encrypted) export without its pending operations; all else stays as it is. */
export function withoutPending(text: string): string {
  const state = JSON.parse(text) as { deployment: Record<string, unknown> };
  return JSON.stringify({ ...state, deployment: { ...state.deployment, pending_operations: [] } });
}

/** The explicit or default provider that a resource was made with. */
export function providerOf(state: State, { provider }: StateResource): StateResource | undefined {
  const split = provider?.lastIndexOf("::") ?? -1;
  if (provider === undefined || split < 0) return undefined;
  return state.resources.find(({ urn }) => urn === provider.slice(0, split));
}

/** The last part of a URN: the name in the program. */
export const nameInProgram = ({ urn }: StateResource): string => urn.slice(urn.lastIndexOf("::") + 2);

/** A string or number among the inputs, as text; undefined when it is absent or unknown. */
export function inputText({ inputs }: StateResource, key: string): string | undefined {
  const value = inputs[key];
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== UNKNOWN ? value : undefined;
}

/** Pulumi's mark of a value that is not known yet. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
