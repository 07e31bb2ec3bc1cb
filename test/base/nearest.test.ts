import { didYouMean, distance, nearest } from "../../base/nearest";

const known = ["platform", "schematic", "controlPlanes", "workers", "adminCidrs", "etcd"];

test.each([
  ["controlplanes", "controlPlanes"],
  ["shematic", "schematic"],
  ["adminCIDR", "adminCidrs"],
  ["platfrom", "platform"],
  ["etdc", "etcd"],
])("the name nearest to %s is %s", (written, name) => {
  expect(nearest(written, known)).toBe(name);
  expect(didYouMean(written, known)).toBe(`did you mean ${name}?`);
});

test.each(["provisioning", "size", "constructor", "toString", "__proto__", "x", ""])(
  "nothing is near to %j: what is known is listed",
  (written) => {
    expect(nearest(written, known)).toBeUndefined();
    expect(didYouMean(written, known)).toBe(`write one of ${known.join(", ")}`);
  },
);

test("two neighbours that changed places are one edit", () => {
  expect([
    distance("fns1", "fsn1"),
    distance("ab", "ba"),
    distance("abc", ""),
    distance("kitten", "sitting"),
  ]).toEqual([1, 1, 3, 3]);
});
