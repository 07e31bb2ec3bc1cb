import ipaddr from "ipaddr.js";

import { isFaulty, show } from "../draft";
import type { Fault } from "../../base/faults";
import type { Rule } from "./input";

const key = "hetzner.adminCidrs";
const unreachable: readonly { readonly ranges: readonly string[]; readonly rule: string }[] = [
  {
    ranges: ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20"],
    rule: "is a range for documentation: with it nobody could reach the servers",
  },
  {
    ranges: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7", "fe80::/10"],
    rule: "is a range of private networks: servers see the public address you come from",
  },
];

const adminCidrsAreGiven: Rule = ({ draft }) => {
  const given = draft.hetzner?.adminCidrs ?? [];
  if (draft.platform !== "hetzner" || given.length > 0 || isFaulty(draft, key)) return [];
  const rule = "is required: nobody else may reach the Talos and Kubernetes APIs";
  return [
    {
      key,
      value: "(not set)",
      rule,
      repair: "list the address ranges you work from",
    },
  ];
};

/** World-open is half of all addresses or more, in one range or in several. */
const adminCidrsAreClosed: Rule = ({ draft }) => {
  const { adminCidrs = [], worldOpen = false } = draft.hetzner ?? {};
  if (worldOpen) return [];
  const families = [
    { name: "IPv4", cidrs: adminCidrs.filter((cidr) => !cidr.includes(":")), space: "0.0.0.0/0" },
    { name: "IPv6", cidrs: adminCidrs.filter((cidr) => cidr.includes(":")), space: "2000::/3" },
  ];
  return families.flatMap(({ name, cidrs, space }): Fault[] => {
    if (!coversHalf(cidrs, bounds(space))) return [];
    const rule = `opens the Talos and Kubernetes APIs to ${name} addresses all over the world`;
    const repair = "list your own ranges, or say hetzner.worldOpen: true";
    return [{ key, value: show(cidrs.join(", ")), rule, repair }];
  });
};

const adminCidrsAreReal: Rule = ({ draft, phase }) =>
  phase === "preview"
    ? []
    : (draft.hetzner?.adminCidrs ?? []).flatMap((cidr, index): Fault[] => {
        const found = unreachable.find(({ ranges }) => ranges.some((range) => lies(cidr, range)));
        if (found === undefined) return [];
        const repair = "put the address range you work from";
        return [{ key: `${key}[${index}]`, value: cidr, rule: found.rule, repair }];
      });

const imageIsGiven: Rule = ({ draft, phase }) => {
  const { platform, hetzner } = draft;
  if (
    phase === "preview" ||
    platform !== "hetzner" ||
    isFaulty(draft, "hetzner") ||
    hetzner?.imageId !== undefined
  )
    return [];
  const rule = "servers start from a snapshot that holds Talos, and none is named";
  return [
    {
      key: "hetzner.imageId",
      value: "(not set)",
      rule,
      repair: "set the id of one made with this schematic and version",
    },
  ];
};

const tokenIsGiven: Rule = ({ draft, phase, tokenPresent }) => {
  if (phase === "preview" || draft.platform !== "hetzner" || tokenPresent !== false) return [];
  const rule = "nothing can be made on Hetzner without a token";
  const repair = "run `pulumi config set --secret hcloud:token`, or set HCLOUD_TOKEN";
  return [{ key: "hcloud:token", value: "(not set)", rule, repair }];
};

/** The Hetzner provider refuses other lengths, in previews too. */
const tokenIsWhole: Rule = ({ draft, tokenLength }) => {
  if (draft.platform !== "hetzner" || tokenLength === undefined || tokenLength === 64) return [];
  const rule = `has ${tokenLength} characters, and Hetzner's tokens have 64`;
  return [{ key: "hcloud:token", value: "(value not shown)", rule, repair: "copy the whole token" }];
};

type Bounds = readonly [bigint, bigint];

function bounds(cidr: string): Bounds {
  const [address, prefix] = ipaddr.parseCIDR(cidr);
  const bytes = address.toByteArray();
  const first = bytes.reduce((sum, byte) => (sum << 8n) + BigInt(byte), 0n);
  return [first, first + (1n << BigInt(bytes.length * 8 - prefix)) - 1n];
}

function lies(cidr: string, range: string): boolean {
  if (cidr.includes(":") !== range.includes(":")) return false;
  const [inner, outer] = [bounds(cidr), bounds(range)];
  return outer[0] <= inner[0] && inner[1] <= outer[1];
}

function coversHalf(cidrs: readonly string[], space: Bounds): boolean {
  const sorted = cidrs.map(bounds).sort((left, right) => (left[0] < right[0] ? -1 : 1));
  let covered = 0n;
  let next = space[0];
  for (const [first, last] of sorted) {
    const from = first > next ? first : next;
    const to = last < space[1] ? last : space[1];
    if (to < from) continue;
    covered += to - from + 1n;
    next = to + 1n;
  }
  return covered * 2n >= space[1] - space[0] + 1n;
}

export const accessRules = {
  adminCidrsAreGiven,
  adminCidrsAreClosed,
  adminCidrsAreReal,
  imageIsGiven,
  tokenIsGiven,
  tokenIsWhole,
};
