import ipaddr from "ipaddr.js";

/** An IPv4 range as numbers; `base` is its first address. */
export interface Range {
  readonly base: number;
  readonly bits: number;
  readonly last: number;
}

export const toNumber = (ip: string): number =>
  ipaddr.IPv4.parse(ip)
    .toByteArray()
    .reduce((sum, byte) => sum * 256 + byte, 0);

export const toAddress = (value: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");

/** The range of an IPv4 CIDR without host bits; undefined for anything else. */
export function parseRange(cidr: string): Range | undefined {
  const match = /^([\d.]+)\/(\d{1,2})$/.exec(cidr);
  const [, ip = "", prefix = ""] = match ?? [];
  const bits = Number(prefix);
  if (match === null || !ipaddr.IPv4.isValidFourPartDecimal(ip) || bits > 32) return undefined;
  const base = toNumber(ip);
  const size = 2 ** (32 - bits);
  return base % size === 0 ? { base, bits, last: base + size - 1 } : undefined;
}

export const contains = (outer: Range, inner: Range): boolean =>
  outer.base <= inner.base && inner.last <= outer.last;

export const overlaps = (a: Range, b: Range): boolean => a.base <= b.last && b.base <= a.last;

const privateRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"].flatMap(
  (cidr) => parseRange(cidr) ?? [],
);

export const isPrivate = (range: Range): boolean => privateRanges.some((outer) => contains(outer, range));

/** A CIDR of either family without host bits, as firewall rules want it. */
export function isCidr(text: string): boolean {
  try {
    const [address, bits] = ipaddr.parseCIDR(text);
    const network =
      address.kind() === "ipv4"
        ? ipaddr.IPv4.networkAddressFromCIDR(text)
        : ipaddr.IPv6.networkAddressFromCIDR(text);
    return network.toNormalizedString() === address.toNormalizedString() && bits >= 0;
  } catch {
    return false;
  }
}

/** The first free range of `bits` in `outer`. */
export function nextRange(outer: Range, bits: number, taken: readonly Range[]): string | undefined {
  const size = 2 ** (32 - bits);
  for (let base = outer.base; base + size - 1 <= outer.last; base += size) {
    const candidate = { base, bits, last: base + size - 1 };
    if (!taken.some((range) => overlaps(range, candidate))) return `${toAddress(base)}/${bits}`;
  }
  return undefined;
}

/** Hands out `PREFIX.10` to `PREFIX.254` in turn: a freed address is not the next one given. */
export class PublicPool {
  private readonly prefix: string;
  private readonly used = new Set<string>();
  private next = 10;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  take(): string | undefined {
    for (let tries = 0; tries < 245; tries += 1) {
      const ip = `${this.prefix}.${this.next}`;
      this.next = this.next >= 254 ? 10 : this.next + 1;
      if (this.used.has(ip)) continue;
      this.used.add(ip);
      return ip;
    }
    return undefined;
  }

  free(ip: string): void {
    this.used.delete(ip);
  }
}
