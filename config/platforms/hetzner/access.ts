import { contains, covered, holdsMapped, type Range, rangeOf, sizeOf } from "../../../base/addresses";
import type { Fault } from "../../../base/faults";
import { notShown, show } from "../../../base/show";
import { isFaulty, placeOf } from "../../faulty";
import type { Rule } from "../../rules/input";
import { hetznerDefaults } from "./defaults";

const key = "hetzner.adminCidrs";
const unreachable = [
  {
    ranges: ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20"].map(rangeOf),
    rule: "is a range for documentation: with it nobody could reach the servers",
  },
  {
    ranges: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7", "fe80::/10"].map(
      rangeOf,
    ),
    rule: "is a range of private networks: servers see the public address you come from",
  },
];

const adminCidrsAreGiven: Rule = ({ draft }) => {
  const given = draft.hetzner?.adminCidrs ?? [];
  if (given.length > 0 || isFaulty(draft, key)) return [];
  const rule = "is required: nobody else may reach the Talos and Kubernetes APIs";
  return [{ key, value: "(not set)", rule, repair: "list the address ranges you work from" }];
};

/** World-open is half of all addresses or more, in one range or in several. */
const adminCidrsAreClosed: Rule = ({ draft }) => {
  const { adminCidrs = [], worldOpen = false } = draft.hetzner ?? {};
  if (worldOpen) return [];
  return [
    { name: "IPv4", space: ipv4, counts: meansIpv4 },
    { name: "IPv6", space: ipv6, counts: ({ family }: Range) => family === "ipv6" },
  ].flatMap(({ name, space, counts }): Fault[] => {
    const cidrs = adminCidrs.filter((cidr) => counts(rangeOf(cidr)));
    const ranges = cidrs.map(rangeOf).map((range) => (range.family === space.family ? range : space));
    if (covered(space, ranges) * 2n < sizeOf(space)) return [];
    const rule = `opens the Talos and Kubernetes APIs to ${name} addresses all over the world`;
    const repair = "list your own ranges, or say hetzner.worldOpen: true";
    return [{ key, value: show(cidrs.join(", ")), rule, repair }];
  });
};

const ipv4 = rangeOf("0.0.0.0/0");
const ipv6 = rangeOf("2000::/3");

/** An IPv6 range that holds the IPv4-mapped addresses means IPv4 too; one open to all of IPv6 is told as that. */
const meansIpv4 = (range: Range): boolean =>
  range.family === "ipv4" || (holdsMapped(range) && !contains(range, ipv6));

/** Hetzner's load balancers have no firewall: a public one answers everybody, whatever adminCidrs says. */
const publicBalancerIsMeant: Rule = ({ draft }) => {
  const { apiLoadBalancer = hetznerDefaults.apiLoadBalancer, worldOpen } = draft.hetzner ?? {};
  if (apiLoadBalancer !== "public" || worldOpen === true || isFaulty(draft, "hetzner.worldOpen")) return [];
  return [
    {
      key: "hetzner.apiLoadBalancer and hetzner.worldOpen",
      value: `public and ${show(worldOpen)}`,
      rule: "a public load balancer opens the Kubernetes API (6443) to the whole world, adminCidrs or not",
      repair: "set apiLoadBalancer: private, or say hetzner.worldOpen: true",
    },
  ];
};

const adminCidrsAreReal: Rule = ({ draft }) =>
  (draft.hetzner?.adminCidrs ?? []).flatMap((cidr, index): Fault[] => {
    const found = unreachable.find(({ ranges }) => ranges.some((range) => contains(range, rangeOf(cidr))));
    if (found === undefined) return [];
    const repair = "put the address range you work from";
    return [{ key: `${key}[${placeOf(draft, key, index)}]`, value: cidr, rule: found.rule, repair }];
  });

const imageIsGiven: Rule = ({ draft }) => {
  if (isFaulty(draft, "hetzner.imageId") || draft.hetzner?.imageId !== undefined) return [];
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

const tokenIsGiven: Rule = ({ tokenPresent }) => {
  if (tokenPresent !== false) return [];
  const rule = "nothing can be made on Hetzner without a token";
  const repair = "run `pulumi config set --secret hcloud:token`, or set HCLOUD_TOKEN";
  return [{ key: "hcloud:token", value: "(not set)", rule, repair }];
};

/** The Hetzner provider refuses other lengths, in previews too. */
const tokenIsWhole: Rule = ({ tokenLength }) => {
  if (tokenLength === undefined || tokenLength === 64) return [];
  const rule = `has ${tokenLength} characters, and Hetzner's tokens have 64`;
  return [{ key: "hcloud:token", value: notShown, rule, repair: "copy the whole token" }];
};

export const accessRules = { adminCidrsAreGiven, adminCidrsAreClosed, publicBalancerIsMeant, tokenIsWhole };
export const accessUpRules = { adminCidrsAreReal, imageIsGiven, tokenIsGiven };
