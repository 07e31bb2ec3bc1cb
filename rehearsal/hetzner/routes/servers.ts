import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Action } from "../core/actions";
import { type Call, created, hostname, labels, ok, read, type Reply, type Route } from "../core/call";
import { checkLabels } from "../core/labels";
import { page } from "../core/lists";
import type { Server } from "../core/model";
import { chooseAddress } from "../core/private-nets";
import { assign, createPrimaryIp, releaseAddresses } from "../core/public-ips";
import { planServer, type ServerCreate, serverCreateBody, type ServerPlan } from "../core/server-create";
import { serverView } from "../core/views";
import { requireUnlocked, type World } from "../core/world";

const newServer = (world: World, body: ServerCreate, plan: ServerPlan): Server => ({
  ...world.fresh(body.name, body.labels),
  protection: { delete: false, rebuild: false },
  lockedBy: null,
  status: "initializing",
  location: plan.location,
  serverType: plan.type.id,
  image: plan.image.id,
  disk: plan.image.disk,
  iso: null,
  rescue: false,
  backupWindow: null,
  ipv4: null,
  ipv6: null,
  spareAddress: null,
  privateNets: [],
  pendingNets: [],
  firewalls: plan.firewalls.map(({ id }) => ({ id, status: "pending" })),
  placementGroup: plan.group?.id ?? null,
  primaryDiskSize: plan.type.disk,
  userData: body.user_data ?? "",
});

function givePublicAddresses(world: World, server: Server, plan: ServerPlan): void {
  for (const type of ["ipv4", "ipv6"] as const) {
    const wanted = plan[type];
    if (wanted === null) continue;
    const fresh = { name: null, type, location: plan.location, autoDelete: true };
    assign(server, wanted === "auto" ? createPrimaryIp(world, fresh) : wanted);
  }
}

export const macAddress = (): string =>
  `86:00:00:${randomBytes(3)
    .toString("hex")
    .replace(/..(?=.)/g, "$&:")}`;

function build(world: World, body: ServerCreate): Server {
  const plan = planServer(world, body);
  const server = newServer(world, body, plan);
  givePublicAddresses(world, server, plan);
  for (const network of plan.networks) {
    const ip = chooseAddress(world, { network, location: server.location });
    server.privateNets.push({ network: network.id, ip, alias_ips: [], mac_address: macAddress() });
  }
  for (const volume of plan.volumes) volume.server = server.id;
  world.takeFromStock(plan.type, plan.location);
  return world.servers.add(server);
}

/** Boots a server at the end of an action. */
export const bootFinish = (world: World, server: Server) => async (): Promise<void> => {
  await world.machines.boot(server);
  server.status = "running";
};

function startActions(world: World, server: Server, start: boolean): [Action, ...Action[]] {
  const finish = (): void => {
    server.status = start ? "starting" : "off";
    for (const firewall of server.firewalls) firewall.status = "applied";
  };
  const create = world.serverAction(server, "create_server", { finish });
  if (!start) return [create];
  return [
    create,
    world.serverAction(server, "start_server", { after: create, finish: bootFinish(world, server) }),
  ];
}

function create(call: Call): Reply {
  const { world } = call;
  const body = read(call, serverCreateBody);
  const server = build(world, body);
  const [action, ...next_actions] = startActions(world, server, body.start_after_create ?? true);
  const hasKey = (body.ssh_keys ?? []).length > 0;
  const root_password = hasKey ? null : randomBytes(10).toString("hex");
  return created({ server: serverView(world, server), action, next_actions, root_password });
}

const updateBody = z.object({ name: hostname.nullish(), labels });

function update(call: Call): Reply {
  const server = call.world.servers.get(call.id);
  const body = read(call, updateBody);
  if (body.name != null) call.world.servers.requireFree(body.name, server.id);
  checkLabels(body.labels ?? {});
  server.name = body.name ?? server.name;
  server.labels = body.labels ?? server.labels;
  return ok({ server: serverView(call.world, server) });
}

function vanish(world: World, server: Server): void {
  releaseAddresses(world, server);
  for (const volume of world.volumes.all()) if (volume.server === server.id) volume.server = null;
  for (const balancer of world.loadBalancers.all()) {
    balancer.targets = balancer.targets.filter(
      (target) => target.type !== "server" || target.server !== server.id,
    );
  }
  world.servers.remove(server.id);
}

function remove(call: Call): Reply {
  const { world } = call;
  const server = world.servers.unprotected(call.id);
  requireUnlocked(server, "server");
  const before = server.status;
  server.status = "deleting";
  const action = world.serverAction(server, "delete_server", {
    finish: async () => {
      await world.machines.erase(server);
      vanish(world, server);
    },
    abandon: () => {
      server.status = before;
    },
  });
  return ok({ action });
}

export const serverRoutes: readonly Route[] = [
  [
    "GET /servers",
    ({ world, query }) => {
      const servers = world.servers.all().map((server) => serverView(world, server));
      return ok(page("servers", servers, query));
    },
  ],
  ["GET /servers/:id", ({ world, id }) => ok({ server: serverView(world, world.servers.get(id)) })],
  ["POST /servers", create],
  ["PUT /servers/:id", update],
  ["DELETE /servers/:id", remove],
];
