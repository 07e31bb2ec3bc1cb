/**
 * Pulumi mocks that fail closed: an unknown function or resource type throws.
 * They show inputs, names and order of registration; no diffs, no checks, no provider defaults.
 */
import * as pulumi from "@pulumi/pulumi";

const SECRET_MARK = "4dabf18193072939515e22adb298388d";

interface Recorded {
  readonly type: string;
  readonly name: string;
  /** As the engine would get them: secrets unwrapped, unknowns undefined. */
  readonly inputs: Record<string, unknown>;
  /** The inputs with every secret replaced by `[secret]`: what anybody may see. */
  readonly plain: Record<string, unknown>;
  readonly provider: string;
}

export interface MockWorld {
  readonly resources: Recorded[];
  readonly calls: { readonly token: string; readonly inputs: Record<string, unknown> }[];
  /** Components included: every registration in order, `type name`. */
  inventory(): string[];
  find(type: string, name: string): Recorded;
}

type Answer = (inputs: Record<string, unknown>, name: string) => Record<string, unknown>;

export interface MockAnswers {
  /** State by resource type, on top of the inputs. A type that is not here is refused. */
  readonly resources: Readonly<Record<string, Answer>>;
  readonly functions: Readonly<Record<string, Answer>>;
}

/** Await it, import the program after it, then `drain()`. */
export async function mockPulumi(
  answers: MockAnswers,
  run: { preview?: boolean; stack?: string } = {},
): Promise<MockWorld> {
  const world: MockWorld = {
    resources: [],
    calls: [],
    inventory: () => world.resources.map(({ type, name }) => `${type} ${name}`).sort(),
    find: (type, name) => {
      const found = world.resources.find((entry) => entry.type === type && entry.name === name);
      if (found === undefined) throw new Error(`no ${type} ${name} in:\n${world.inventory().join("\n")}`);
      return found;
    },
  };
  let nextId = 1000;
  const mocks: pulumi.runtime.Mocks = {
    newResource(args) {
      const inputs = args.inputs as Record<string, unknown>;
      world.resources.push({
        type: args.type,
        name: args.name,
        inputs: unwrap(inputs) as Record<string, unknown>,
        plain: unwrap(inputs, () => "[secret]") as Record<string, unknown>,
        provider: args.provider ?? "",
      });
      if (args.custom !== true) return { id: undefined, state: {} };
      const answer = answers.resources[args.type];
      if (answer === undefined) throw new Error(`the mocks know no resource of type ${args.type}`);
      nextId += 1;
      return {
        id: String(nextId),
        state: { ...inputs, ...answer(unwrap(inputs) as Record<string, unknown>, args.name) },
      };
    },
    call(args) {
      const answer = answers.functions[args.token];
      if (answer === undefined) throw new Error(`the mocks know no function ${args.token}`);
      const inputs = args.inputs as Record<string, unknown>;
      world.calls.push({ token: args.token, inputs });
      return answer(inputs, "");
    },
  };
  await pulumi.runtime.setMocks(
    mocks,
    "talos-fleet",
    run.stack ?? "lab",
    run.preview ?? false,
    "organization",
  );
  return world;
}

/** Waits for every registration, those inside apply too. */
export const drain = (): Promise<void> => pulumi.runtime.disconnect();

const isWrapped = (value: unknown): value is { value: unknown } =>
  typeof value === "object" && value !== null && SECRET_MARK in value;

function unwrap(value: unknown, reveal = (secret: unknown): unknown => unwrap(secret)): unknown {
  if (isWrapped(value)) return reveal(value.value);
  if (Array.isArray(value)) return value.map((item) => unwrap(item, reveal));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unwrap(inner, reveal)]));
  }
  return value;
}
