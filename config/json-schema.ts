/** The JSON Schema of a whole stack file, for editors; `npm run schema` writes it to docs/config.schema.json. */
import { z } from "zod";

import { namespace } from "./raw";
import { poolSchema, settings } from "./schema";

type JsonSchema = Readonly<Record<string, unknown>>;

/** Pools are read one by one elsewhere, so that a fault in one hides none in another. */
const whole = { ...settings, workers: z.array(poolSchema).optional() };

export function stackFileSchema(): JsonSchema {
  const keys = Object.entries(whole);
  const definitions = keys.map(([key, schema]) => [key, definitionOf(schema)] as const);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "A stack file of talos-fleet",
    description:
      "Written by `npm run schema` from config/schema.ts. Every key is explained in docs/config.sample.yaml.",
    type: "object",
    properties: {
      config: {
        type: ["object", "null"],
        // Keys without a namespace are the project's own.
        properties: Object.fromEntries(
          keys.flatMap(([key]) => [`${namespace}:${key}`, key].map((name) => [name, reference(key)])),
        ),
        patternProperties: { [`^(?!${namespace}:)[^:]+:`]: true },
        additionalProperties: false,
        allOf: keys
          .filter(([, schema]) => !schema.safeParse(undefined).success)
          .map(([key]) => required(key)),
      },
    },
    definitions: Object.fromEntries(definitions),
  };
}

const reference = (key: string): JsonSchema => ({ $ref: `#/definitions/${key}` });

const required = (key: string): JsonSchema => ({
  anyOf: [{ required: [`${namespace}:${key}`] }, { required: [key] }],
});

/** As a file holds it: before defaults, and before texts become numbers. */
function definitionOf(schema: z.ZodType): JsonSchema {
  const made = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    reused: "inline",
  });
  return Object.fromEntries(Object.entries(made).filter(([key]) => key !== "$schema"));
}
