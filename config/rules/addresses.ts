import { groupBy } from "../../base/group";
import { rangeOf, sizeOf } from "../../base/addresses";
import { gatewayHost } from "../defaults";
import type { Draft } from "../draft";
import { isFaulty } from "../faulty";
import type { Fault } from "../../base/faults";
import type { LayoutNode } from "../layout";
import { platformOf } from "../platforms/select";
import type { ReservedHost } from "../platforms/slice";
import type { Rule } from "./input";
import { networksOf } from "./ranges";

const lowestHost = gatewayHost + 1;

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
  const subnet = networksOf(draft)?.nodes;
  const lastHost = lastHostOf(draft);
  if (subnet === undefined || lastHost === undefined || isFaulty(draft, "controlPlanes")) return [];
  if (lastHost < lowestHost) {
    const rule = `has no address for a node: host ${gatewayHost} is the gateway's`;
    return [{ key: subnet.key, value: subnet.cidr, rule, repair: "enlarge it" }];
  }
  const blocks = blocksOf(layout);
  return blocks
    .filter((block) => block.last > lastHost)
    .map((block) => ({
      key: `${block.key}.firstAddress and ${subnet.key}`,
      value: `${firstOf(draft, block)} and ${subnet.cidr}`,
      rule: `the nodes take the hosts ${span(block)}, and the last host of the subnet is ${lastHost}`,
      repair: `${moved(draft, block, blocks)}enlarge the subnet`,
    }));
};

function lastHostOf(draft: Draft): number | undefined {
  const subnet = networksOf(draft)?.nodes;
  return subnet === undefined ? undefined : Number(sizeOf(rangeOf(subnet.cidr))) - 2;
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
function reserved(draft: Draft): readonly ReservedHost[] {
  return draft.platform === undefined ? [] : platformOf(draft.platform).reservedHosts(draft);
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

function span({ first, last }: Block): string {
  return first === last ? String(first) : `${first} to ${last}`;
}

export const addressRules = {
  firstAddressIsGiven,
  poolsFitTheSubnet,
  poolsAreApart,
  reservedHostsAreFree,
};
