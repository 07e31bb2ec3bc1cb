import * as pulumi from "@pulumi/pulumi";
import { version } from "./package.json";

/** Where the engine downloads the plugin from, as the published SDK says it. */
const pluginDownloadURL = "github://api.github.com/pulumiverse";

/** What every resource and function call carries, so that the engine picks the right plugin. */
export const packageDefaults = (): { version: string; pluginDownloadURL: string } => ({
  version,
  pluginDownloadURL,
});

/** One resource type of the provider's schema. */
export interface ResourceSpec {
  readonly token: string;
  /** Every input; `required` and `secretInputs` are parts of it. */
  readonly inputs: readonly string[];
  readonly required: readonly string[];
  readonly secretInputs: readonly string[];
  /** Outputs that are not inputs. */
  readonly computed: readonly string[];
  readonly secretOutputs: readonly string[];
}

/** One function of the provider's schema. */
export interface FunctionSpec {
  readonly token: string;
  readonly inputs: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

const pick = (names: readonly string[], values: Values): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, values[name]]));

/** Computed properties have to be named, as undefined, or the SDK makes no Output for them. */
const undefinedFor = (names: readonly string[]) => pick(names, {});

const createInputs = (spec: ResourceSpec, args: Values, registered: boolean): Record<string, unknown> => {
  const missing = spec.required.find((name) => args[name] === undefined);
  if (missing !== undefined && !registered) throw new Error(`Missing required property '${missing}'`);
  const inputs = pick(spec.inputs, args);
  for (const name of spec.secretInputs) {
    if (inputs[name] !== undefined) inputs[name] = pulumi.secret(inputs[name]);
  }
  return { ...inputs, ...undefinedFor(spec.computed) };
};

/** What a class of this package hands to {@link TalosResource}. */
export interface Registration {
  readonly name: string;
  /** Arguments, or known state when `options.id` is given (a read). */
  readonly values: object | undefined;
  readonly options: pulumi.CustomResourceOptions | undefined;
}

/** Base of all resources: registers what the spec says, with the package's version and secret outputs. */
export class TalosResource extends pulumi.CustomResource {
  constructor(spec: ResourceSpec, { name, values = {}, options = {} }: Registration) {
    const given = values as Values;
    const inputs =
      options.id === undefined
        ? createInputs(spec, given, options.urn !== undefined)
        : pick([...spec.inputs, ...spec.computed], given);
    const merged = pulumi.mergeOptions(packageDefaults(), options);
    super(
      spec.token,
      name,
      inputs,
      pulumi.mergeOptions(merged, { additionalSecretOutputs: [...spec.secretOutputs] }),
    );
  }
}

/** True for an object of this resource type, also when it comes from another copy of the SDK. */
export const isOfType = (value: unknown, token: string): boolean =>
  typeof value === "object" && value !== null && "__pulumiType" in value && value.__pulumiType === token;

export type PlainFunction<Args, Result> = (args: Args, opts?: pulumi.InvokeOptions) => Promise<Result>;
export type OutputFunction<Args, Result> = (
  args: Args,
  opts?: pulumi.InvokeOutputOptions,
) => pulumi.Output<Result>;

/** The promise form of a function: arguments must be plain values. */
export const plainFunction =
  <Args extends object, Result>(spec: FunctionSpec): PlainFunction<Args, Result> =>
  (args, opts) =>
    pulumi.runtime.invoke(
      spec.token,
      pick(spec.inputs, args as Values),
      pulumi.mergeOptions(packageDefaults(), opts ?? {}),
    ) as Promise<Result>;

/** The Output form: waits for its inputs, and is unknown or secret when one of them is. */
export const outputFunction =
  <Args extends object, Result>(spec: FunctionSpec): OutputFunction<Args, Result> =>
  (args, opts) =>
    pulumi.runtime.invokeOutput<Result>(
      spec.token,
      pick(spec.inputs, args as Values),
      pulumi.mergeOptions(packageDefaults(), opts ?? {}),
    );
