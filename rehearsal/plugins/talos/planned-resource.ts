/** A resource of the bridge's framework half: it plans in Diff and in previews, and again before the work. */
import { bridgedCheck } from "../framework/bridged-check";
import type {
  CheckFailure,
  CheckRequest,
  CreateRequest,
  DeleteRequest,
  DiffRequest,
  DiffResponse,
  Props,
  ResourceStandIn,
  UpdateRequest,
} from "../framework/types";
import { isProps, plainProps, record, unknown } from "../framework/values";
import { differs, known, markSecrets, plan, withoutNulls } from "./plan";
import type { TalosSchema } from "./schemas";

export interface PlanSides {
  /** The checked inputs. */
  readonly config: Props;
  /** Undefined for a creation. */
  readonly prior: Props | undefined;
  readonly log: (line: string, severity?: "debug" | "info" | "warning") => void;
}

export interface Operations {
  /** Faults of the inputs that one property alone does not show. */
  validate?(inputs: Props): CheckFailure[];
  /** The provider's own changes to a plan. */
  modifyPlan?(planned: Props, sides: PlanSides): Promise<Props> | Props;
  /** Properties whose change replaces. */
  replaces?(planned: Props, prior: Props): string[];
  create(planned: Props, request: CreateRequest): Promise<{ readonly id: string; readonly state: Props }>;
  /** Answers what is laid over the prior state and the known part of the plan. */
  update(planned: Props, prior: Props, request: UpdateRequest): Promise<Props>;
  delete?(state: Props, request: DeleteRequest): Promise<void>;
  /** What an import by this id finds; left out where the provider has no import. */
  import?(id: string): Promise<Props>;
}

/** The bridge fails to write the state when `timeouts` has null fields: by then the work is done. */
function assertWholeTimeouts(schema: TalosSchema, planned: Props): void {
  const fields = Object.keys(schema.properties["timeouts"]?.fields ?? {});
  const { timeouts } = planned;
  if (!isProps(timeouts) || fields.every((name) => name in record(planned, "timeouts"))) return;
  throw new Error("recovered raw state does not byte-for-byte match the original raw state");
}

const withoutId = (props: Props): Props =>
  Object.fromEntries(Object.entries(props).filter(([key]) => key !== "id" && !key.startsWith("__")));

async function planFor(schema: TalosSchema, operations: Operations, sides: PlanSides): Promise<Props> {
  const planned = plan(schema.properties, sides.config, sides.prior);
  return withoutNulls((await operations.modifyPlan?.(planned, sides)) ?? planned);
}

function check(schema: TalosSchema, operations: Operations, request: CheckRequest) {
  const { inputs, failures } = bridgedCheck(schema, { ...request, news: plainProps(request.news) });
  return {
    inputs: markSecrets(schema.properties, inputs, true),
    failures: [...failures, ...(operations.validate?.(inputs) ?? [])],
  };
}

async function diff(
  schema: TalosSchema,
  operations: Operations,
  request: DiffRequest,
): Promise<DiffResponse> {
  const prior = withoutId(plainProps(request.olds));
  const planned = await planFor(schema, operations, {
    config: plainProps(request.news),
    prior,
    log: request.log,
  });
  const diffs = Object.keys(schema.properties)
    .filter((key) => differs(planned[key], prior[key]) && !request.ignoreChanges.includes(key))
    .sort();
  const replaces = (operations.replaces?.(planned, prior) ?? []).filter((key) => diffs.includes(key));
  return {
    changes: diffs.length === 0 ? "DIFF_NONE" : "DIFF_SOME",
    replaces,
    diffs,
    detailedDiff: {},
    deleteBeforeReplace: false,
    hasDetailedDiff: false,
  };
}

async function create(schema: TalosSchema, operations: Operations, request: CreateRequest) {
  const planned = await planFor(schema, operations, {
    config: plainProps(request.inputs),
    prior: undefined,
    log: request.log,
  });
  if (request.preview) return { id: "", state: markSecrets(schema.properties, { ...planned, id: unknown }) };
  const { id, state } = await operations.create(known(planned), request);
  assertWholeTimeouts(schema, planned);
  return { id, state: markSecrets(schema.properties, withoutNulls({ ...known(planned), ...state, id })) };
}

async function update(schema: TalosSchema, operations: Operations, request: UpdateRequest) {
  const prior = withoutId(plainProps(request.olds));
  const planned = await planFor(schema, operations, {
    config: plainProps(request.inputs),
    prior,
    log: request.log,
  });
  const { id } = request;
  if (request.preview) return { state: markSecrets(schema.properties, { ...planned, id }) };
  const state = await operations.update(known(planned), prior, request);
  assertWholeTimeouts(schema, planned);
  return { state: markSecrets(schema.properties, withoutNulls({ ...known(planned), ...state, id })) };
}

export const plannedResource = (schema: TalosSchema, operations: Operations): ResourceStandIn => ({
  check: async (request) => check(schema, operations, request),
  diff: (request) => diff(schema, operations, request),
  create: (request) => create(schema, operations, request),
  update: (request) => update(schema, operations, request),
  // The provider's Read is empty: it answers the state as it is.
  read: async ({ id, state, inputs }) => {
    const found = Object.keys(state).length > 0 ? state : await operations.import?.(id);
    if (found === undefined)
      throw new Error("Resource Import Not Implemented: this resource does not support import");
    return {
      id,
      state: markSecrets(schema.properties, { ...found, id }),
      inputs: markSecrets(schema.properties, inputs),
    };
  },
  delete: async (request) => operations.delete?.(plainProps(request.state), request),
});
