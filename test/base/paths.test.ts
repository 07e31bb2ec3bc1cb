import { deletedAbove, deletionsIn, listsIn, valueAt } from "../../base/paths";

test("a path is followed by its dots or, where a key holds one, by its parts", () => {
  const document = { machine: { sysctls: { "net.core.somaxconn": "1" } } };
  expect(valueAt(document, "machine.sysctls")).toEqual({ "net.core.somaxconn": "1" });
  expect(valueAt(document, ["machine", "sysctls", "net.core.somaxconn"])).toBe("1");
  expect(valueAt(document, "machine.sysctls.net.core")).toBeUndefined();
  expect(valueAt(undefined, "machine")).toBeUndefined();
});

test("only a mapping's own keys count", () => {
  for (const path of ["constructor", "toString", "machine.constructor", "__proto__"])
    expect(valueAt({ machine: {} }, path)).toBeUndefined();
});

test("deletions and lists by their paths", () => {
  const document = { a: { $patch: "delete" }, b: { c: [1], d: { $patch: "delete" } } };
  expect(deletionsIn(document)).toEqual(["a", "b.d"]);
  expect(deletedAbove(document, "b.d.e")).toBe("b.d");
  expect(deletedAbove(document, "b.c")).toBeUndefined();
  expect(listsIn(document)).toEqual(["b.c"]);
});
