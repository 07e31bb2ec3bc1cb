import ipaddr from "ipaddr.js";

/** An IPv4 range as two numbers, both included. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

/** First and last address of an IPv4 CIDR that the schema has already accepted. */
export function rangeOf(cidr: string): Range {
  const [address, prefix] = ipaddr.IPv4.parseCIDR(cidr);
  const first = toNumber(address.toString());
  return { first, last: first + 2 ** (32 - prefix) - 1 };
}

export function prefixOf(cidr: string): number {
  return ipaddr.parseCIDR(cidr)[1];
}

export function contains(outer: Range, inner: Range): boolean {
  return outer.first <= inner.first && inner.last <= outer.last;
}

export function overlaps(left: Range, right: Range): boolean {
  return left.first <= right.last && right.first <= left.last;
}

/** Host number `host` of a range: host 1 of 10.5.0.0/24 is 10.5.0.1. */
export function hostAddress(cidr: string, host: number): string {
  return toAddress(rangeOf(cidr).first + host);
}

/** What is wrong with a text that should be a CIDR, or undefined when it is one with no host bits set. */
export function cidrProblem(text: string, family: "ipv4" | "any"): string | undefined {
  if (!text.includes("/") || !isCidr(text)) return "is not a CIDR such as 10.0.0.0/16";
  const [address, prefix] = ipaddr.parseCIDR(text);
  if (family === "ipv4" && address.kind() !== "ipv4") return "is not an IPv4 CIDR";
  const base = networkOf(text);
  return base === address.toString() ? undefined : `has host bits set (the range is ${base}/${prefix})`;
}

/** What to do about it: one address needs only its length. */
export function cidrRepair(text: string, family: "ipv4" | "any"): string {
  if (family === "any" && ipaddr.isValid(text))
    return `write ${text}/${text.includes(":") ? 128 : 32} for one address, or the length of the range`;
  return "write the address of the range, a slash and its length";
}

function networkOf(cidr: string): string {
  const ipv4 = ipaddr.parseCIDR(cidr)[0].kind() === "ipv4";
  return (
    ipv4 ? ipaddr.IPv4.networkAddressFromCIDR(cidr) : ipaddr.IPv6.networkAddressFromCIDR(cidr)
  ).toString();
}

function toNumber(address: string): number {
  return address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

function toAddress(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");
}

function isCidr(text: string): boolean {
  return text.includes(":") ? ipaddr.IPv6.isValidCIDR(text) : ipaddr.IPv4.isValidCIDRFourPartDecimal(text);
}
