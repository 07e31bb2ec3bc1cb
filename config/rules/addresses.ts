import { groupBy } from "../../base/group";
import { rangeOf } from "../../base/addresses";
import { isFaulty, nodeNetworkOf, show } from "../draft";
import type { Draft } from "../draft";
import { defaults, reservedHosts } from "../defaults";
import type { Fault } from "../../base/faults";
import type { LayoutNode } from "../layout";
import type { Rule } from "./input";

const lowestHost = reservedHosts.gateway + 1;

interface Block {
  readonly key: string;
  readonly first: number;
  readonly last: number;
}

/** The host numbers each pool takes; pools without a first address are left to firstAddressIsGiven. */
function blocksOf(layout: readonly LayoutNode[]): Block[] {
  return [...groupBy(layout, ({ key }) => key)].flatMap(([key, nodes]) => {
    const [first, last] = [nodes[0]?.host, nodes.at(-1)?.host];
    return first === undefined || last === undefined ? [] : [{ key, first, last }];
  });
}

const firstAddressIsGiven: Rule = ({ draft }) =>
  draft.pools
    .filter((pool) => pool.firstAddress === undefined && draft.poolCount > 1)
    .map(({ key }) => ({
      key: `${key}.firstAddress`,
      value: "(not set)",
      rule: "is required where there are several pools, so that no pool's addresses depend on another's",
      repair: "set the host number of the pool's first node",
    }));

const poolsFitTheSubnet: Rule = ({ draft, layout }) => {
  const subnet = nodeNetworkOf(draft);
  const lastHost = lastHostOf(draft);
  if (subnet === undefined || lastHost === undefined || isFaulty(draft, "controlPlanes")) return [];
  if (lastHost < lowestHost) {
    const rule = `has no address for a node: host ${reservedHosts.gateway} is the gateway's`;
    return [{ key: subnetKey(draft), value: subnet, rule, repair: "enlarge it" }];
  }
  const blocks = blocksOf(layout);
  return blocks
    .filter((block) => block.last > lastHost)
    .map((block) => ({
      key: `${block.key}.firstAddress and ${subnetKey(draft)}`,
      value: `${firstOf(draft, block)} and ${subnet}`,
      rule: `the nodes take the hosts ${span(block)}, and the last host of the subnet is ${lastHost}`,
      repair: `${moved(draft, block, blocks)}enlarge the subnet`,
    }));
};

function lastHostOf(draft: Draft): number | undefined {
  const subnet = nodeNetworkOf(draft);
  if (subnet === undefined) return undefined;
  const { first, last } = rangeOf(subnet);
  return last - first - 1;
}

const poolsAreApart: Rule = ({ draft, layout }) => {
  const blocks = blocksOf(layout);
  return blocks.flatMap((block, index) =>
    blocks
      .slice(0, index)
      .filter((other) => !isApart(block, other))
      .map((other) => ({
        key: `${block.key}.firstAddress and ${other.key}.firstAddress`,
        value: `${firstOf(draft, block)} and ${firstOf(draft, other)}`,
        rule: `their nodes' hosts, ${span(block)} and ${span(other)}, overlap`,
        repair: `${moved(draft, block, blocks)}lower a count`,
      })),
  );
};

/** The host number as given, or the default that stands for it. */
function firstOf(draft: Draft, { key, first }: Block): string {
  const owner = key === "controlPlanes" ? draft.controlPlanes : draft.pools.find((pool) => pool.key === key);
  return owner?.firstAddress === undefined ? `${first} (the default)` : String(first);
}

const isApart = (left: Block, right: Block): boolean => left.last < right.first || right.last < left.first;

/** A place in the subnet where the pool is away from all others, as the first half of a repair. */
function moved(draft: Draft, block: Block, blocks: readonly Block[]): string {
  const taken: Block[] = [
    ...blocks.filter(({ key }) => key !== block.key),
    ...reserved(draft).map(([host]) => ({ key: "", first: host, last: host })),
  ];
  const length = block.last - block.first;
  const isFree = (start: number) =>
    start + length <= (lastHostOf(draft) ?? 0) &&
    taken.every((other) => isApart({ key: block.key, first: start, last: start + length }, other));
  const starts = [lowestHost, ...taken.map(({ last }) => last + 1)]
    .sort((left, right) => left - right)
    .filter(isFree);
  const first = starts.find((start) => start > block.first) ?? starts[0];
  return first === undefined
    ? ""
    : `set ${block.key}.firstAddress to ${first}, which is free (nodes that exist move), or `;
}

/** Host numbers that a node may not take, and whose they are. */
function reserved(draft: Draft): [number, string][] {
  const balanced = draft.platform === "hetzner" && draft.hetzner?.apiLoadBalancer !== "none";
  return balanced ? [[reservedHosts.loadBalancer, "the private load balancer's"]] : [];
}

const reservedHostsAreFree: Rule = ({ draft, layout }) =>
  blocksOf(layout).flatMap((block) =>
    reserved(draft)
      .filter(([host]) => block.first <= host && host <= block.last)
      .map(([host, owner]): Fault => ({
        key: `${block.key}.firstAddress`,
        value: String(block.first),
        rule: `the nodes take the hosts ${span(block)}, and host ${host} is ${owner}`,
        repair: `set it to ${host + 1} or more, or set fewer nodes`,
      })),
  );

const portsFit: Rule = ({ draft, layout }) => {
  if (draft.platform !== "docker" || isFaulty(draft, "docker.talosPort")) return [];
  const talosPort = draft.docker?.talosPort ?? defaults.docker.talosPort;
  const highest = Math.max(...layout.map(({ host = 0 }) => talosPort + host - 2));
  if (highest <= 65535) return [];
  const rule = `a node's port is talosPort + host number - 2, which reaches ${highest}, above 65535`;
  return [
    {
      key: "docker.talosPort",
      value: String(talosPort),
      rule,
      repair: `set it to ${65535 - (highest - talosPort)} or less`,
    },
  ];
};

const portsAreApart: Rule = ({ draft, layout }) => {
  const keys = ["docker.talosPort", "docker.kubernetesPort"];
  if (draft.platform !== "docker" || keys.some((key) => isFaulty(draft, key))) return [];
  const talosPort = draft.docker?.talosPort ?? defaults.docker.talosPort;
  const kubernetesPort = draft.docker?.kubernetesPort ?? defaults.docker.kubernetesPort;
  const node = layout.find(({ host }) => host !== undefined && talosPort + host - 2 === kubernetesPort);
  if (node === undefined) return [];
  const rule = `port ${kubernetesPort} is the Kubernetes API's and, as talosPort + host number - 2, the Talos API's of ${node.name}`;
  const repair = "change one of the two keys";
  return [
    {
      key: "docker.kubernetesPort and docker.talosPort",
      value: show(`${kubernetesPort} and ${talosPort}`),
      rule,
      repair,
    },
  ];
};

function span({ first, last }: Block): string {
  return first === last ? String(first) : `${first} to ${last}`;
}

function subnetKey(draft: Draft): string {
  return draft.platform === "docker" ? "docker.subnet" : "hetzner.network.nodes";
}

export const addressRules = {
  firstAddressIsGiven,
  poolsFitTheSubnet,
  poolsAreApart,
  reservedHostsAreFree,
  portsFit,
  portsAreApart,
};
