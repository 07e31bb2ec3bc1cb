import { z } from "zod";
import { type Call, created, labels, name, noContent, ok, read, type Reply, type Route } from "../core/call";
import { invalid, refused } from "../core/errors";
import { checkLabels } from "../core/labels";
import { page } from "../core/lists";
import type { PrimaryIp, Server } from "../core/model";
import { assign, createPrimaryIp, removePrimaryIp, unassign } from "../core/public-ips";
import { primaryIpView } from "../core/views";
import type { World } from "../core/world";
import { requireOff } from "./server-power";

const createBody = z.object({
  name,
  type: z.enum(["ipv4", "ipv6"]),
  location: z.string().nullish(),
  datacenter: z.never({ error: "datacenter was removed, use location." }).optional(),
  assignee_id: z.number().int().nullish(),
  assignee_type: z.enum(["server", "unassigned"]).nullish(),
  auto_delete: z.boolean().nullish(),
  labels,
});

function requireAssignable(server: Server, type: "ipv4" | "ipv6"): void {
  requireOff(server);
  if (server[type] !== null) throw refused(`server_has_${type}`, `server already has an ${type} address`);
}

function start(
  world: World,
  ip: PrimaryIp,
  work: { command: string; server?: Server | undefined; finish: () => void },
) {
  const servers = work.server === undefined ? [] : [{ id: work.server.id, type: "server" }];
  const resources = [{ id: ip.id, type: "primary_ip" }, ...servers];
  return world.actions.start({ command: work.command, resources, finish: work.finish });
}

function create(call: Call): Reply {
  const { world } = call;
  const body = read(call, createBody);
  const server = body.assignee_id == null ? undefined : world.unlockedServer(body.assignee_id);
  const wanted = body.location ?? server?.location;
  if (wanted === undefined) throw invalid("location", "location or assignee_id is required.");
  const location = world.location(wanted).name;
  world.primaryIps.requireFree(body.name);
  if (server !== undefined) requireAssignable(server, body.type);
  const autoDelete = body.auto_delete ?? false;
  const ip = createPrimaryIp(world, {
    name: body.name,
    type: body.type,
    location,
    autoDelete,
    labels: body.labels,
  });
  if (server === undefined) return created({ primary_ip: primaryIpView(world, ip), action: null });
  assign(server, ip);
  const action = start(world, ip, { command: "create_primary_ip", server, finish: () => undefined });
  return created({ primary_ip: primaryIpView(world, ip), action });
}

const updateBody = z.object({ name: name.nullish(), labels, auto_delete: z.boolean().nullish() });

function update(call: Call): Reply {
  const ip = call.world.primaryIps.get(call.id);
  const body = read(call, updateBody);
  if (body.name != null) call.world.primaryIps.requireFree(body.name, ip.id);
  checkLabels(body.labels ?? {});
  ip.name = body.name ?? ip.name;
  ip.labels = body.labels ?? ip.labels;
  ip.autoDelete = body.auto_delete ?? ip.autoDelete;
  return ok({ primary_ip: primaryIpView(call.world, ip) });
}

/** The server that holds an address must be off before the address can leave it. */
function leaving({ world, id }: Call): PrimaryIp {
  const ip = world.primaryIps.get(id);
  const server = world.servers.find(ip.assignee);
  if (server !== undefined) requireOff(server);
  return ip;
}

function remove(call: Call): Reply {
  call.world.primaryIps.unprotected(call.id);
  const ip = leaving(call);
  unassign(call.world, ip);
  removePrimaryIp(call.world, ip);
  return noContent;
}

const assignBody = z.object({ assignee_id: z.number().int(), assignee_type: z.literal("server") });

function assignTo(call: Call): Reply {
  const { world } = call;
  const ip = world.primaryIps.get(call.id);
  const server = world.unlockedServer(read(call, assignBody).assignee_id);
  if (ip.assignee !== null) throw refused("primary_ip_already_assigned", "primary IP is already assigned");
  if (ip.location !== server.location) {
    throw refused("primary_ip_datacenter_mismatch", "primary IP and server are in different locations");
  }
  requireAssignable(server, ip.type);
  return created({
    action: start(world, ip, { command: "assign_primary_ip", server, finish: () => assign(server, ip) }),
  });
}

function unassignFrom(call: Call): Reply {
  const { world } = call;
  const ip = leaving(call);
  if (ip.assignee === null) throw refused("primary_ip_not_assigned", "primary IP is not assigned");
  const server = world.servers.find(ip.assignee);
  const finish = (): void => unassign(world, ip);
  return created({ action: start(world, ip, { command: "unassign_primary_ip", server, finish }) });
}

function changeProtection(call: Call): Reply {
  const ip = call.world.primaryIps.get(call.id);
  const body = read(call, z.object({ delete: z.boolean() }));
  const finish = (): void => {
    ip.protection.delete = body.delete;
  };
  return created({ action: start(call.world, ip, { command: "change_protection", finish }) });
}

function changeDns(call: Call): Reply {
  const target = call.world.primaryIps.get(call.id);
  const { ip, dns_ptr } = read(call, z.object({ ip: z.string(), dns_ptr: z.string().nullable() }));
  const finish = (): void => {
    const others = target.dns_ptr.filter((entry) => entry.ip !== ip);
    target.dns_ptr = dns_ptr === null ? others : [...others, { ip, dns_ptr }];
  };
  return created({ action: start(call.world, target, { command: "change_dns_ptr", finish }) });
}

export const primaryIpRoutes: readonly Route[] = [
  [
    "GET /primary_ips",
    ({ world, query }) => {
      const ips = world.primaryIps.all().map((ip) => primaryIpView(world, ip));
      return ok(page("primary_ips", ips, query));
    },
  ],
  [
    "GET /primary_ips/:id",
    ({ world, id }) => ok({ primary_ip: primaryIpView(world, world.primaryIps.get(id)) }),
  ],
  ["POST /primary_ips", create],
  ["PUT /primary_ips/:id", update],
  ["DELETE /primary_ips/:id", remove],
  ["POST /primary_ips/:id/actions/assign", assignTo],
  ["POST /primary_ips/:id/actions/unassign", unassignFrom],
  ["POST /primary_ips/:id/actions/change_protection", changeProtection],
  ["POST /primary_ips/:id/actions/change_dns_ptr", changeDns],
];
