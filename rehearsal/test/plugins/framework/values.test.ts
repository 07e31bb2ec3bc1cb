import fc from "fast-check";
import { Secret } from "../../../plugins/framework/types";
import {
  fromStruct,
  fromWire,
  hasUnknown,
  plain,
  same,
  toStruct,
  toWire,
  unknown,
  type Json,
} from "../../../plugins/framework/values";

const secret = (value: Json): Json => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

test("secrets, unknowns and output values are recognised at any depth and go back as they came", () => {
  const wire = { a: [secret({ b: unknownText }), 1, null], c: unknownText };
  const value = fromWire(wire);
  expect(value).toEqual({ a: [new Secret({ b: unknown }), 1, null], c: unknown });
  expect(toWire(value)).toEqual(wire);
  const output = {
    "4dabf18193072939515e22adb298388d": "d0e6a833031e9bbcd3f4e8bde6ca49a4",
    value: "x",
    secret: true,
  };
  expect(fromWire(output)).toEqual(new Secret("x"));
  expect(fromWire({ "4dabf18193072939515e22adb298388d": "d0e6a833031e9bbcd3f4e8bde6ca49a4" })).toEqual(
    unknown,
  );
});

test("whatever is JSON survives the wire", () => {
  const json = fc
    .dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
    .filter((given) => !JSON.stringify(given).includes("__proto__") && !JSON.stringify(given).includes("e-"));
  fc.assert(
    fc.property(json, (given) => {
      const props = fromWire(given as Json) as Parameters<typeof toStruct>[0];
      const back = toWire(fromStruct(toStruct(props)));
      expect(JSON.parse(JSON.stringify(back))).toEqual(JSON.parse(JSON.stringify(given)));
    }),
    { numRuns: 200 },
  );
});

test("an unknown equals nothing, a secret what it hides", () => {
  expect(same(unknown, unknown)).toBe(false);
  expect(same(new Secret("a"), "a")).toBe(true);
  expect(plain({ a: new Secret([new Secret(1)]) })).toEqual({ a: [1] });
  expect(hasUnknown([new Secret({ a: unknown })])).toBe(true);
});
