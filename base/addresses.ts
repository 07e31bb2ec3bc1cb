/** Address ranges of both families; the only user of ipaddr.js in the program. */
import ipaddr from "ipaddr.js";

/** A range as two numbers, both included. */
export interface Range {
  readonly family: "ipv4" | "ipv6";
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * The range of a CIDR that was accepted before, by cidrProblem or by an engine; host bits do not count. One of
 * IPv4-mapped addresses (`::ffff:10.0.0.0/104`) is the IPv4 range that it means.
 */
export function rangeOf(cidr: string): Range {
  const range = asWritten(cidr);
  return contains(mapped, range) ? unmapped(range) : range;
}

function asWritten(cidr: string): Range {
  const [address, prefix] = ipaddr.parseCIDR(cidr);
  const bytes = address.toByteArray();
  const size = 1n << BigInt(bytes.length * 8 - prefix);
  const value = bytes.reduce((sum, byte) => (sum << 8n) + BigInt(byte), 0n);
  const first = value - (value % size);
  return { family: address.kind(), first, last: first + size - 1n };
}

const mapped = asWritten("::ffff:0:0/96");

const unmapped = ({ first, last }: Range): Range => ({
  family: "ipv4",
  first: first - mapped.first,
  last: last - mapped.first,
});

/** Whether an IPv6 range holds all IPv4-mapped addresses, and so means every IPv4 address besides its own. */
export const holdsMapped = (range: Range): boolean => contains(range, mapped);

export function prefixOf(cidr: string): number {
  return ipaddr.parseCIDR(cidr)[1];
}

/** How many addresses a range has. */
export const sizeOf = ({ first, last }: Range): bigint => last - first + 1n;

export function contains(outer: Range, inner: Range): boolean {
  return outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last;
}

export function overlaps(left: Range, right: Range): boolean {
  return left.family === right.family && left.first <= right.last && right.first <= left.last;
}

/** How many addresses of `space` lie in at least one of the ranges. */
export function covered(space: Range, ranges: readonly Range[]): bigint {
  const inside = ranges
    .filter((range) => overlaps(range, space))
    .sort((left, right) => (left.first < right.first ? -1 : 1));
  let sum = 0n;
  let next = space.first;
  for (const { first, last } of inside) {
    const from = first > next ? first : next;
    const to = last < space.last ? last : space.last;
    if (to < from) continue;
    sum += to - from + 1n;
    next = to + 1n;
  }
  return sum;
}

/** Host number `host` of a range: host 1 of 10.5.0.0/24 is 10.5.0.1. */
export function hostAddress(cidr: string, host: number): string {
  const { family, first } = asWritten(cidr);
  const value = first + BigInt(host);
  const length = family === "ipv4" ? 4 : 16;
  const bytes = Array.from({ length }, (_, index) =>
    Number((value >> BigInt(8 * (length - 1 - index))) & 255n),
  );
  return ipaddr.fromByteArray(bytes).toString();
}

/** What is wrong with a text that should be a CIDR, or undefined when it is one with no host bits set. */
export function cidrProblem(text: string, family: "ipv4" | "any"): string | undefined {
  if (!text.includes("/") || !isCidr(text)) return "is not a CIDR such as 10.0.0.0/16";
  const [address, prefix] = ipaddr.parseCIDR(text);
  if (family === "ipv4" && address.kind() !== "ipv4") return "is not an IPv4 CIDR";
  const base = hostAddress(text, 0);
  return base === address.toString() ? undefined : `has host bits set (the range is ${base}/${prefix})`;
}

/** What to do about it: one address needs only its length. */
export function cidrRepair(text: string, family: "ipv4" | "any"): string {
  if (family === "any" && ipaddr.isValid(text))
    return `write ${text}/${text.includes(":") ? 128 : 32} for one address, or the length of the range`;
  return "write the address of the range, a slash and its length";
}

function isCidr(text: string): boolean {
  return text.includes(":") ? ipaddr.IPv6.isValidCIDR(text) : ipaddr.IPv4.isValidCIDRFourPartDecimal(text);
}
