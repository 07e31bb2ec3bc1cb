import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Action } from "../core/actions";
import { type Call, created, type Handler, read, reference, type Reply, type Route } from "../core/call";
import { ApiError, invalid, outOfStock, refused } from "../core/errors";
import type { Server } from "../core/model";
import { findImage } from "../core/server-create";
import type { World } from "../core/world";
import { bootFinish } from "./servers";

type Work = (world: World, server: Server) => Promise<void>;

const boot: Work = async (world, server) => {
  if (server.privateNets.length === 0 && server.ipv4 === null && server.ipv6 === null) {
    throw new Error("no public or private network interfaces found, cannot start server");
  }
  await bootFinish(world, server)();
};

const halt =
  (how: "ask" | "kill"): Work =>
  async (world, server) => {
    await world.machines.halt(server, how);
    server.status = "off";
  };

const restart =
  (how: "ask" | "kill"): Work =>
  async (world, server) => {
    await halt(how)(world, server);
    await boot(world, server);
  };

const power =
  (command: string, work: Work): Handler =>
  ({ world, id }) => {
    const server = world.unlockedServer(id);
    return created({ action: world.serverAction(server, command, { finish: () => work(world, server) }) });
  };

export const requireOff = (server: Server): void => {
  if (server.status !== "off") throw refused("server_not_stopped", "server must be powered off");
};

const changeTypeBody = z.object({ server_type: reference, upgrade_disk: z.boolean() });

function changeType(call: Call): Reply {
  const { world } = call;
  const server = world.unlockedServer(call.id);
  const body = read(call, changeTypeBody);
  const type = world.serverType(body.server_type);
  requireOff(server);
  if (type.id === server.serverType) throw refused("invalid_server_type", "server already has this type");
  if (type.architecture !== world.serverType(server.serverType).architecture) {
    throw refused("invalid_server_type", "server type has another architecture");
  }
  if (type.disk < server.primaryDiskSize)
    throw refused("invalid_server_type", "the disk of the server type is too small");
  if (world.inStock(type, server.location) < 1) throw outOfStock();
  world.takeFromStock(type, server.location);
  const action = world.serverAction(server, "change_server_type", {
    finish: async () => {
      server.serverType = type.id;
      if (body.upgrade_disk) server.primaryDiskSize = type.disk;
      await boot(world, server);
    },
  });
  return created({ action });
}

const rebuildBody = z.object({
  image: reference,
  user_data: z.string().max(32768, "Length must be between 0 and 32768.").nullish(),
});

function rebuild(call: Call): Reply {
  const { world } = call;
  const server = world.unlockedServer(call.id);
  const body = read(call, rebuildBody);
  const image = findImage(world, body.image, world.serverType(server.serverType).architecture);
  if (server.protection.rebuild === true) {
    throw new ApiError(423, { code: "protected", message: "server rebuild is protected" });
  }
  if (image.disk_size > server.primaryDiskSize)
    throw invalid("image", "image disk does not fit on the server's disk");
  const start = (action: Action): object => ({ action, root_password: randomBytes(10).toString("hex") });
  server.status = "rebuilding";
  const finish = async (): Promise<void> => {
    await world.machines.erase(server);
    server.image = image.id;
    server.disk = image.disk;
    server.userData = body.user_data ?? server.userData;
    await boot(world, server);
  };
  return created(start(world.serverAction(server, "rebuild_server", { finish })));
}

export const serverPowerRoutes: readonly Route[] = [
  ["POST /servers/:id/actions/poweron", power("start_server", boot)],
  ["POST /servers/:id/actions/poweroff", power("stop_server", halt("kill"))],
  ["POST /servers/:id/actions/shutdown", power("shutdown_server", halt("ask"))],
  ["POST /servers/:id/actions/reboot", power("reboot_server", restart("ask"))],
  ["POST /servers/:id/actions/reset", power("reset_server", restart("kill"))],
  ["POST /servers/:id/actions/change_type", changeType],
  ["POST /servers/:id/actions/rebuild", rebuild],
];
