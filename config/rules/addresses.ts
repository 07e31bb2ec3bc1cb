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
  const taken = takenIn(draft, blocks);
  return blocks
    .filter((block) => block.last > lastHost)
    .map((block) => ({
      key: `${block.key}.firstAddress and ${subnet.key}`,
      value: `${firstOf(taken, block)} and ${subnet.cidr}`,
      rule: `the nodes take the hosts ${span(block)}, and the last host of the subnet is ${lastHost}`,
      repair: `${moved(block, taken)}enlarge the subnet`,
    }));
};

function lastHostOf(draft: Draft): number | undefined {
  const subnet = networksOf(draft)?.nodes;
  return subnet === undefined ? undefined : Number(sizeOf(rangeOf(subnet.cidr))) - 2;
}

const poolsAreApart: Rule = ({ draft, layout }) => {
  const blocks = blocksOf(layout);
  const taken = takenIn(draft, blocks);
  return blocks.flatMap((block, index) =>
    overlapped(block, blocks.slice(0, index)).map((other) => ({
      key: `${block.key}.firstAddress and ${other.key}.firstAddress`,
      value: `${firstOf(taken, block)} and ${firstOf(taken, other)}`,
      rule: `their nodes' hosts, ${span(block)} and ${span(other)}, overlap`,
      repair: `${moved(block, taken)}lower a count`,
    })),
  );
};

/** The host number as given, or the default that stands for it. */
function firstOf({ given }: Taken, { key, first }: Block): string {
  const host = given.get(key);
  return host === undefined ? `${first} (the default)` : String(host);
}

/** A pool that lies on many others is one mistake: three of them show it. */
function overlapped(block: Block, others: readonly Block[]): Block[] {
  const found: Block[] = [];
  for (const other of others) {
    if (!isApart(block, other)) found.push(other);
    if (found.length === 3) break;
  }
  return found;
}

const isApart = (left: Block, right: Block): boolean => left.last < right.first || right.last < left.first;

/** What of the subnet is taken, first things first, and the host numbers that the file gives: read once, asked by every pool. */
interface Taken {
  readonly blocks: readonly Block[];
  readonly lastHost: number;
  readonly given: ReadonlyMap<string, number | undefined>;
}

function takenIn(draft: Draft, blocks: readonly Block[]): Taken {
  const others = reserved(draft).map(([host]) => ({ key: "", first: host, last: host }));
  const sorted = [...blocks, ...others].sort((left, right) => left.first - right.first);
  const end = { key: "", first: Number.POSITIVE_INFINITY, last: 0 };
  const given = new Map(draft.pools.map(({ key, firstAddress }) => [key, firstAddress]));
  return {
    blocks: [...sorted, end],
    lastHost: lastHostOf(draft) ?? 0,
    given: given.set("controlPlanes", draft.controlPlanes?.firstAddress),
  };
}

/** A place where the pool is away from all others, as the first half of a repair: after its own place, or else the first. */
function moved(block: Block, { blocks, lastHost }: Taken): string {
  const length = block.last - block.first;
  let start = lowestHost;
  let found: number | undefined;
  for (const other of blocks) {
    if (start + length > lastHost || (found !== undefined && found > block.first)) break;
    if (other.key === block.key) continue;
    const isFree = start + length < other.first;
    if (isFree && (found === undefined || start > block.first)) found = start;
    start = Math.max(start, other.last + 1);
  }
  return found === undefined
    ? ""
    : `set ${block.key}.firstAddress to ${found}, which is free (nodes that exist move), or `;
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
