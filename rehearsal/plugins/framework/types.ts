/** What a stand-in for a Pulumi plugin is made of. The framework serves it over gRPC as the real plugin would be. */

/** A value that a preview cannot know yet; on the wire Pulumi's unknown string. */
export class Unknown {
  /** Set apart from plain objects also for the compiler. */
  readonly kind = "unknown";
}

/** A secret value; on the wire wrapped with Pulumi's signature. */
export class Secret {
  readonly value: Value;
  constructor(value: Value) {
    this.value = value;
  }
}

export type Value = null | boolean | number | string | Unknown | Secret | readonly Value[] | Props;

export interface Props {
  readonly [key: string]: Value;
}

export interface CheckFailure {
  readonly property?: string;
  readonly reason: string;
}

export interface CheckRequest {
  readonly urn: string;
  readonly name: string;
  readonly news: Props;
  readonly olds: Props;
  /** Base64, for autonaming. */
  readonly randomSeed: string;
}

export interface CheckResponse {
  readonly inputs: Props;
  readonly failures: readonly CheckFailure[];
}

export interface DiffRequest {
  readonly urn: string;
  readonly id: string;
  /** State. */
  readonly olds: Props;
  /** New checked inputs. */
  readonly news: Props;
  readonly oldInputs: Props;
  readonly ignoreChanges: readonly string[];
  readonly log: (line: string, severity?: "debug" | "info" | "warning") => void;
}

export type DiffKind = "ADD" | "ADD_REPLACE" | "DELETE" | "DELETE_REPLACE" | "UPDATE" | "UPDATE_REPLACE";

export interface DiffResponse {
  /** `DIFF_UNKNOWN` lets Pulumi compare the inputs. */
  readonly changes: "DIFF_NONE" | "DIFF_SOME" | "DIFF_UNKNOWN";
  readonly replaces: readonly string[];
  readonly diffs: readonly string[];
  readonly detailedDiff: Readonly<Record<string, { readonly kind: DiffKind }>>;
  readonly deleteBeforeReplace: boolean;
  readonly stables?: readonly string[];
  /** False where the real plugin answers without details (the bridge's framework half, when nothing changed). */
  readonly hasDetailedDiff?: boolean;
}

export interface CreateRequest {
  readonly urn: string;
  readonly name: string;
  readonly inputs: Props;
  readonly preview: boolean;
  /** Aborted when Pulumi cancels or the call's deadline passes. */
  readonly signal: AbortSignal;
  /** Streams a line to Pulumi's display, as `command` does with a program's output. */
  readonly log: (line: string, severity?: "debug" | "info" | "warning") => void;
}

/** `inputs` are the new ones. */
export interface UpdateRequest extends CreateRequest {
  readonly id: string;
  readonly olds: Props;
  readonly oldInputs: Props;
  readonly ignoreChanges: readonly string[];
}

export interface ReadRequest {
  readonly urn: string;
  readonly id: string;
  readonly state: Props;
  readonly inputs: Props;
}

export interface DeleteRequest {
  readonly urn: string;
  readonly name: string;
  readonly id: string;
  readonly state: Props;
  readonly oldInputs: Props;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/**
 * One resource type of a plugin. Throw an Error for a failure: its message is what Pulumi prints.
 * Throw a PartialFailure (errors.ts) when the thing was made but a later step failed: it stays in the state.
 */
export interface ResourceStandIn {
  check(request: CheckRequest): Promise<CheckResponse>;
  diff(request: DiffRequest): Promise<DiffResponse>;
  /** In a preview the id is "" and the state may hold Unknown. */
  create(request: CreateRequest): Promise<{ readonly id: string; readonly state: Props }>;
  /** Undefined: the thing is gone. */
  read(
    request: ReadRequest,
  ): Promise<{ readonly id: string; readonly state: Props; readonly inputs: Props } | undefined>;
  update(request: UpdateRequest): Promise<{ readonly state: Props }>;
  delete(request: DeleteRequest): Promise<void>;
}

export interface PluginStandIn {
  /** `hcloud`, `talos`, `docker`, `command`, `kubernetes`. */
  readonly name: string;
  readonly version: string;
  /** What the real plugin's Configure answers (recordings). */
  readonly capabilities: {
    readonly acceptSecrets: boolean;
    readonly supportsPreview: boolean;
    readonly acceptResources: boolean;
    readonly acceptOutputs: boolean;
    readonly supportsAutonamingConfiguration?: boolean;
  };
  checkConfig(request: CheckRequest): Promise<CheckResponse>;
  /** Undefined: unimplemented, as the real command and talos plugins answer. */
  readonly diffConfig?: (request: DiffRequest) => Promise<DiffResponse>;
  /** Called for every provider instance of an operation, previews included; unknown values may appear. */
  configure(args: Props): Promise<void>;
  readonly resources: Readonly<Record<string, ResourceStandIn>>;
  readonly functions: Readonly<Record<string, (args: Props, preview: boolean) => Promise<Props>>>;
}
