import { z } from "zod";
import type { ServerType } from "./catalogue";
import { hostname, labels, reference } from "./call";
import { invalid, limitExceeded, outOfStock, refused } from "./errors";
import type { Firewall, Image, Network, PlacementGroup, PrimaryIp, Volume } from "./model";
import type { World } from "./world";

const flag = z.boolean().nullish();

export const serverCreateBody = z.object({
  name: hostname,
  server_type: reference,
  image: reference,
  location: z.string().nullish(),
  datacenter: z.never({ error: "datacenter was removed, use location." }).optional(),
  ssh_keys: z.array(reference).nullish(),
  volumes: z.array(z.number().int()).nullish(),
  firewalls: z.array(z.object({ firewall: z.number().int() })).nullish(),
  networks: z.array(z.number().int()).nullish(),
  start_after_create: flag,
  user_data: z.string().max(32768, "Length must be between 0 and 32768.").nullish(),
  labels,
  automount: flag,
  placement_group: z.number().int().nullish(),
  public_net: z
    .object({
      enable_ipv4: flag,
      enable_ipv6: flag,
      ipv4: z.number().int().nullish(),
      ipv6: z.number().int().nullish(),
    })
    .nullish(),
});

export type ServerCreate = z.infer<typeof serverCreateBody>;

/** A create request with everything it names looked up and every rule checked; nothing is changed yet. */
export interface ServerPlan {
  readonly type: ServerType;
  readonly image: Image;
  readonly location: string;
  readonly start: boolean;
  readonly firewalls: readonly Firewall[];
  readonly networks: readonly Network[];
  readonly volumes: readonly Volume[];
  readonly group: PlacementGroup | null;
  /** `null`: none wanted; `auto`: a new one. */
  readonly ipv4: PrimaryIp | "auto" | null;
  readonly ipv6: PrimaryIp | "auto" | null;
}

/** An available image for an architecture, by id or by name; throws `invalid_input`. */
export function findImage(world: World, wanted: number | string, architecture: string): Image {
  const byName = world.images
    .all()
    .find((image) => image.name === wanted && image.architecture === architecture);
  const image = byName ?? world.images.find(Number(wanted));
  if (image === undefined) throw invalid("image", `image ${wanted} not found`);
  if (image.architecture !== architecture) {
    throw invalid("image", `image architecture ${image.architecture} does not match ${architecture}`);
  }
  if (image.status !== "available") throw invalid("image", "image is not available");
  return image;
}

function findPrimaryIp(
  world: World,
  asked: { id: number; type: "ipv4" | "ipv6"; location: string },
): PrimaryIp {
  const ip = world.primaryIps.get(asked.id);
  if (ip.type !== asked.type) throw refused("primary_ip_version_mismatch", `primary IP is not ${asked.type}`);
  if (ip.location !== asked.location) {
    throw refused("primary_ip_datacenter_mismatch", "primary IP and server are in different locations");
  }
  if (ip.assignee !== null)
    throw refused("primary_ip_assigned", "primary IP is already assigned to a server");
  return ip;
}

function publicAddresses(
  world: World,
  body: ServerCreate,
  location: string,
): Pick<ServerPlan, "ipv4" | "ipv6"> {
  const net = body.public_net ?? {};
  const choose = (type: "ipv4" | "ipv6", wanted: { enabled: boolean; id: number | null }) => {
    if (!wanted.enabled) return null;
    return wanted.id === null ? ("auto" as const) : findPrimaryIp(world, { id: wanted.id, type, location });
  };
  return {
    ipv4: choose("ipv4", { enabled: net.enable_ipv4 ?? true, id: net.ipv4 ?? null }),
    ipv6: choose("ipv6", { enabled: net.enable_ipv6 ?? true, id: net.ipv6 ?? null }),
  };
}

/** The members of a spread group: ten at most. */
export function requireRoom(world: World, group: PlacementGroup): void {
  const members = world.servers.all().filter((server) => server.placementGroup === group.id);
  if (members.length >= 10) {
    const message = `placement group with ID ${group.id} contains already 10 servers`;
    throw refused("placement_group_member_limit_reached", message);
  }
}

function requireLimits(world: World, plan: ServerPlan): void {
  if (world.servers.all().length >= world.limits.servers) throw limitExceeded("server");
  const fresh = [plan.ipv4, plan.ipv6].filter((ip) => ip === "auto").length;
  if (fresh > 0 && world.primaryIps.all().length + fresh > world.limits.primaryIps)
    throw limitExceeded("Primary IP");
}

function requireConsistent(plan: ServerPlan, count: { sshKeysMissing: string | undefined }): void {
  if (count.sshKeysMissing !== undefined)
    throw invalid("ssh_keys", `SSH key ${count.sshKeysMissing} not found`);
  if (!plan.type.locations.includes(plan.location)) {
    throw invalid(
      "server_type",
      `server type ${plan.type.name} is not supported in location ${plan.location}`,
    );
  }
  if (plan.image.disk_size > plan.type.disk) {
    throw invalid("image", `image disk of ${plan.image.disk_size} GB does not fit on ${plan.type.disk} GB`);
  }
  const isPrivate = plan.ipv4 === null && plan.ipv6 === null;
  if (isPrivate && plan.start && plan.networks.length === 0) {
    throw refused("invalid_input", "no public or private network interfaces found, cannot start server");
  }
  if (isPrivate && plan.firewalls.length > 0) {
    throw refused("private_net_only_server", "firewalls need a public network interface");
  }
  if (plan.firewalls.length > 5) throw invalid("firewalls", "a server can have 5 firewalls");
}

/** Checks a create request against every rule, in the order in which the API complains. */
export function planServer(world: World, body: ServerCreate): ServerPlan {
  const type = world.serverType(body.server_type);
  const location = world.location(body.location ?? "nbg1").name;
  const group = body.placement_group == null ? null : world.placementGroups.get(body.placement_group);
  const plan: ServerPlan = {
    type,
    image: findImage(world, body.image, type.architecture),
    location,
    start: body.start_after_create ?? true,
    firewalls: (body.firewalls ?? []).map(({ firewall }) => world.firewalls.get(firewall)),
    networks: (body.networks ?? []).map((id) => world.networks.get(id)),
    volumes: (body.volumes ?? []).map((id) => world.volumes.get(id)),
    group,
    ...publicAddresses(world, body, location),
  };
  const missing = (body.ssh_keys ?? []).find((key) => world.sshKeys.byReference(key) === undefined);
  requireConsistent(plan, { sshKeysMissing: missing === undefined ? undefined : String(missing) });
  world.servers.requireFree(body.name);
  if (group !== null) requireRoom(world, group);
  requireLimits(world, plan);
  if (world.inStock(type, location) < 1) throw outOfStock();
  return plan;
}
