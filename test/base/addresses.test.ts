import { contains, covered, holdsMapped, hostAddress, overlaps, rangeOf, sizeOf } from "../../base/addresses";

test.each([
  ["10.5.0.0/16", "10.5.0.0/24", true],
  ["10.5.0.0/24", "10.5.0.0/16", false],
  ["10.5.0.0/24", "10.5.1.0/24", false],
  ["2001:db8::/32", "2001:db8:1::/48", true],
  ["0.0.0.0/0", "2001:db8::/32", false],
  ["::/0", "10.0.0.0/8", false],
  ["10.0.0.0/8", "::ffff:10.1.0.0/112", true],
  ["::ffff:0:0/96", "203.0.113.0/24", true],
])("%s holds %s: %p", (outer, inner, expected) => {
  expect(contains(rangeOf(outer), rangeOf(inner))).toBe(expected);
  expect(overlaps(rangeOf(outer), rangeOf(inner))).toBe(expected || contains(rangeOf(inner), rangeOf(outer)));
});

test("IPv4-mapped ranges are their IPv4 ranges", () => {
  expect(rangeOf("::ffff:0.0.0.0/96")).toEqual(rangeOf("0.0.0.0/0"));
  expect(rangeOf("::ffff:10.1.2.3/104")).toEqual(rangeOf("10.0.0.0/8"));
  expect(rangeOf("::/80").family).toBe("ipv6");
  expect(
    ["::/0", "::/80", "::ffff:0:0/95", "::fffe:0:0/96"].map((cidr) => holdsMapped(rangeOf(cidr))),
  ).toEqual([true, true, true, false]);
});

test("host bits do not count in a range", () => {
  expect(rangeOf("172.17.0.1/16")).toEqual(rangeOf("172.17.0.0/16"));
});

test.each([
  ["10.5.0.0/16", 300, "10.5.1.44"],
  ["0.0.0.0/0", 2 ** 32 - 1, "255.255.255.255"],
  ["2001:db8::/64", 10, "2001:db8::a"],
  ["::ffff:10.0.0.0/104", 1, "::ffff:a00:1"],
])("host of %s number %i is %s", (cidr, host, address) => {
  expect(hostAddress(cidr, host)).toBe(address);
});

test("what is covered is counted once, and only inside the space", () => {
  const space = rangeOf("10.0.0.0/24");
  const ranges = ["10.0.0.0/25", "10.0.0.64/26", "9.0.0.0/8", "::/0"].map(rangeOf);

  expect(covered(space, ranges)).toBe(128n);
  expect(covered(space, [rangeOf("0.0.0.0/0")])).toBe(sizeOf(space));
});
