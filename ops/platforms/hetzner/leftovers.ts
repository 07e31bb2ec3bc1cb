/** What a killed create left in a Hetzner project. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { clusterSelector, isOf } from "../../../agreed/labels/hetzner";
import type { HetznerClusterPlan } from "../../../config/types";
import type { Found, Search } from "../../recover/outcome";
import { inputText, providerOf, type State, type StateResource } from "../../recover/state";
import type { OnPlatform } from "../select";
import { hetznerClient, type HetznerClient, type Labelled } from "./client";

/** Kinds that have a name and labels of their own, and where they are listed. */
const COLLECTIONS: Readonly<Record<string, string>> = {
  "hcloud:index/server:Server": "servers",
  "hcloud:index/network:Network": "networks",
  "hcloud:index/firewall:Firewall": "firewalls",
  "hcloud:index/placementGroup:PlacementGroup": "placement_groups",
  "hcloud:index/primaryIp:PrimaryIp": "primary_ips",
  "hcloud:index/loadBalancer:LoadBalancer": "load_balancers",
};

export interface HetznerProject {
  readonly client: HetznerClient;
  readonly cluster: string;
}

/** A cluster's objects in the project that the state's token opens. */
export const hetznerLeftovers = ({ name: cluster }: HetznerClusterPlan): OnPlatform => ({
  pulumiPackage: "hcloud",
  search: (state, resource) => {
    const client = hetznerClient(providerOf(state, resource));
    if (client === undefined) throw new Error(NO_TOKEN);
    return hetznerSearch({ client, cluster }, resource);
  },
  labelled: async (state: State) => {
    const client = hetznerClient(state.resources.find(({ type }) => type === "pulumi:providers:hcloud"));
    return client === undefined ? [] : hetznerObjects({ client, cluster });
  },
});

const NO_TOKEN = "there is no Hetzner token, neither in the stack's state nor in HCLOUD_TOKEN";

/** Undefined for a kind that this program does not make. */
export function hetznerSearch(place: HetznerProject, resource: StateResource): Search | undefined {
  const mark = `the labels ${clusterSelector(place.cluster)}`;
  const found = COLLECTIONS[resource.type];
  if (found !== undefined) return named(place, { collection: found, resource, mark });
  if (resource.type === "hcloud:index/snapshot:Snapshot") return snapshot(place, { resource, mark });
  const part = PARTS[resource.type]?.(resource);
  return part === undefined ? undefined : partOf(place, part, mark);
}

/** `placement_groups` and `fleet-worker-0` give `placement group fleet-worker-0`. */
const words = (collection: string, name: string): string =>
  `${collection.replace(/s$/, "").replaceAll("_", " ")} ${name}`;

function named(
  { client, cluster }: HetznerProject,
  { collection, resource, mark }: { collection: string; resource: StateResource; mark: string },
): Search | undefined {
  const name = inputText(resource, "name");
  if (name === undefined) return undefined;
  const what = words(collection, name);
  return {
    what,
    mark,
    async find() {
      const found = (await client.list(collection, { name })).find((one) => one.name === name);
      return found === undefined ? undefined : whole({ client, cluster }, { found, collection, what });
    },
  };
}

const whole = (
  { client, cluster }: HetznerProject,
  { found, collection, what }: { found: Labelled; collection: string; what: string },
): Found => ({
  id: String(found.id),
  what: `${what} (id ${found.id})`,
  ours: isOf(cluster, found.labels),
  remove: () => client.remove(`/${collection}/${found.id}`),
});

/** Snapshots have no name: the description stands for it, and only those with our labels are looked at. */
function snapshot(
  { client, cluster }: HetznerProject,
  { resource, mark }: { resource: StateResource; mark: string },
): Search | undefined {
  const description = inputText(resource, "description");
  if (description === undefined) return undefined;
  const what = `snapshot ${description}`;
  return {
    what,
    mark,
    async find() {
      const ours = await client.list("images", {
        type: "snapshot",
        label_selector: clusterSelector(cluster),
      });
      const found = ours.find((image) => image.description === description);
      return found === undefined
        ? undefined
        : whole({ client, cluster }, { found, collection: "images", what });
    },
  };
}

/** A part of something that has a name and labels, such as a network's subnet. */
interface Part {
  readonly what: string;
  readonly collection: string;
  readonly owner: string;
  /** The part's id in a state. */
  readonly id: string;
  isThere(owner: unknown): boolean;
  readonly undo: { readonly action: string; readonly body: unknown };
}

function partOf({ client, cluster }: HetznerProject, part: Part, mark: string): Search {
  const { what, collection, owner, id, undo } = part;
  return {
    what,
    mark,
    async find() {
      const found = await client.get(collection, owner);
      if (found === undefined || !part.isThere(found)) return undefined;
      const remove = () => client.act(`/${collection}/${owner}/actions/${undo.action}`, undo.body);
      return {
        id,
        what: `${what} of ${words(collection, found.name ?? owner)}`,
        ours: isOf(cluster, found.labels),
        remove,
      };
    },
  };
}

const network = z.looseObject({ subnets: z.array(z.looseObject({ ip_range: z.string().optional() })) });
const balancer = z.looseObject({
  private_net: z.array(z.looseObject({ network: z.number() })).default([]),
  services: z.array(z.looseObject({ listen_port: z.number() })).default([]),
  targets: z
    .array(
      z.looseObject({ type: z.string(), label_selector: z.looseObject({ selector: z.string() }).nullish() }),
    )
    .default([]),
});

const PARTS: Readonly<Record<string, (resource: StateResource) => Part | undefined>> = {
  "hcloud:index/networkSubnet:NetworkSubnet": subnetPart,
  "hcloud:index/loadBalancerNetwork:LoadBalancerNetwork": attachmentPart,
  "hcloud:index/loadBalancerService:LoadBalancerService": servicePart,
  "hcloud:index/loadBalancerTarget:LoadBalancerTarget": targetPart,
};

function subnetPart(resource: StateResource): Part | undefined {
  const [owner, range] = [inputText(resource, "networkId"), inputText(resource, "ipRange")];
  if (owner === undefined || range === undefined) return undefined;
  return {
    ...{ what: `subnet ${range}`, collection: "networks", owner, id: `${owner}-${range}` },
    isThere: (found) => network.parse(found).subnets.some(({ ip_range: seen }) => seen === range),
    undo: { action: "delete_subnet", body: { ip_range: range } },
  };
}

const BALANCERS = "load_balancers";

function attachmentPart(resource: StateResource): Part | undefined {
  const owner = inputText(resource, "loadBalancerId");
  const subnet = inputText(resource, "subnetId")?.split("-")[0];
  const id = inputText(resource, "networkId") ?? subnet;
  if (owner === undefined || id === undefined) return undefined;
  return {
    ...{ what: `attachment to network ${id}`, collection: BALANCERS, owner, id: `${owner}-${id}` },
    isThere: (found) => balancer.parse(found).private_net.some(({ network: seen }) => seen === Number(id)),
    undo: { action: "detach_from_network", body: { network: Number(id) } },
  };
}

function servicePart(resource: StateResource): Part | undefined {
  const [owner, port] = [inputText(resource, "loadBalancerId"), inputText(resource, "listenPort")];
  if (owner === undefined || port === undefined) return undefined;
  return {
    ...{ what: `service ${port}`, collection: BALANCERS, owner, id: `${owner}__${port}` },
    isThere: (found) => balancer.parse(found).services.some(({ listen_port: seen }) => seen === Number(port)),
    undo: { action: "delete_service", body: { listen_port: Number(port) } },
  };
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

function targetPart(resource: StateResource): Part | undefined {
  const [owner, labels] = [inputText(resource, "loadBalancerId"), inputText(resource, "labelSelector")];
  if (owner === undefined || labels === undefined) return undefined;
  const body = { type: "label_selector", label_selector: { selector: labels } };
  return {
    ...{ what: `target ${labels}`, collection: BALANCERS, owner },
    id: `lb-label-selector-tgt-${sha256(labels)}-${owner}`,
    isThere: (found) =>
      balancer.parse(found).targets.some(({ label_selector: seen }) => seen?.selector === labels),
    undo: { action: "remove_target", body },
  };
}

/** All of the cluster's objects in the project, by the ids that a state would hold. */
export async function hetznerObjects({
  client,
  cluster,
}: HetznerProject): Promise<{ id: string; what: string }[]> {
  const lists = await Promise.all(
    [...Object.values(COLLECTIONS)].map(async (collection) => {
      const found = await client.list(collection, { label_selector: clusterSelector(cluster) });
      return found.map(({ id, name }) => ({ id: String(id), what: words(collection, name ?? String(id)) }));
    }),
  );
  return lists.flat();
}
