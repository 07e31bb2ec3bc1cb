import { groupBy } from "../group";
import { rangeOf } from "../cidr";
import { isFaulty, nodeNetworkOf, show } from "../draft";
import type { Draft } from "../draft";
import { defaults, reservedHosts } from "../defaults";
import type { Fault } from "../errors";
import type { LayoutNode } from "../layout";
import type { Rule } from "./input";

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
  if (subnet === undefined || isFaulty(draft, "controlPlanes")) return [];
  const { first, last } = rangeOf(subnet);
  const lastHost = last - first - 1;
  return blocksOf(layout)
    .filter((block) => block.last > lastHost)
    .map((block) => ({
      key: `${block.key}.firstAddress and ${subnetKey(draft)}`,
      value: `${block.first} and ${subnet}`,
      rule: `the nodes take the hosts ${span(block)}, and the last host of the subnet is ${lastHost}`,
      repair: roomBefore(block, lastHost),
    }));
};

function roomBefore(block: Block, lastHost: number): string {
  const highest = lastHost - (block.last - block.first);
  return highest < 2 ? "enlarge the subnet" : `set firstAddress to ${highest} or less, or enlarge the subnet`;
}

const poolsAreApart: Rule = ({ layout }) => {
  const blocks = blocksOf(layout);
  return blocks.flatMap((block, index) =>
    blocks
      .slice(0, index)
      .filter((other) => other.first <= block.last && block.first <= other.last)
      .map((other) => ({
        key: `${block.key}.firstAddress and ${other.key}.firstAddress`,
        value: `${block.first} and ${other.first}`,
        rule: `the hosts ${span(block)} and ${span(other)} overlap`,
        repair: `set ${block.key}.firstAddress to ${free(blocks)} or more`,
      })),
  );
};

function free(blocks: readonly Block[]): number {
  return Math.max(...blocks.map(({ last }) => last)) + 1;
}

const reservedHostsAreFree: Rule = ({ draft, layout }) => {
  const balanced = draft.platform === "hetzner" && draft.hetzner?.apiLoadBalancer !== "none";
  const taken: [number, string][] = balanced
    ? [[reservedHosts.loadBalancer, "the private load balancer's"]]
    : [];
  return blocksOf(layout).flatMap((block) =>
    taken
      .filter(([host]) => block.first <= host && host <= block.last)
      .map(([host, owner]): Fault => ({
        key: `${block.key}.firstAddress`,
        value: String(block.first),
        rule: `the nodes take the hosts ${span(block)}, and host ${host} is ${owner}`,
        repair: `set it to ${host + 1} or more, or set fewer nodes`,
      })),
  );
};

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
