import { compareVersions, gap, isWithin, minorOf } from "../../base/versions";

test("versions compare by number, not by text", () => {
  expect(compareVersions("v1.13.10", "v1.13.9")).toBeGreaterThan(0);
  expect(compareVersions("v1.9", "v1.13")).toBeLessThan(0);
  expect(compareVersions("1.13.0", "v1.13")).toBe(0);
});

test("a pre-release counts as its release", () => {
  expect(compareVersions("v1.12.0-beta.1", "v1.12.0")).toBe(0);
  expect(minorOf("v1.14.0-alpha.2")).toBe("1.14");
});

test.each([
  ["1.30.9", false],
  ["1.31.0", true],
  ["v1.36.99", true],
  ["1.37.0-rc.1", false],
  ["2.33.0", false],
])("%s lies within 1.31 to 1.36: %p", (version, expected) => {
  expect(isWithin(version, { from: 31, to: 36 })).toBe(expected);
});

test("a minor version counts more than all patches", () => {
  expect(gap("v1.13.0", "v1.13.99")).toBeLessThan(gap("v1.13.0", "v1.14.0"));
});

test("what is no version is a bug of the caller", () => {
  expect(() => minorOf("latest")).toThrow(/latest is not a version/);
});
