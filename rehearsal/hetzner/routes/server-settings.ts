import { randomBytes } from "node:crypto";
import { z } from "zod";
import {
  type Call,
  created,
  type Handler,
  labels,
  read,
  reference,
  type Reply,
  type Route,
} from "../core/call";
import { isos } from "../core/catalogue";
import { invalid, notFound } from "../core/errors";
import type { Image, Server } from "../core/model";
import { requireRoom } from "../core/server-create";
import { imageView } from "../core/views";
import { diskFromLabels, type World } from "../core/world";
import { requireOff } from "./server-power";

/** An action that only changes a setting of the server. */
const setting =
  (
    command: string,
    apply: (call: Call, server: Server) => () => void,
    extra: () => object = () => ({}),
  ): Handler =>
  (call) => {
    const server = call.world.unlockedServer(call.id);
    const finish = apply(call, server);
    return created({ action: call.world.serverAction(server, command, { finish }), ...extra() });
  };

const protectionBody = z.object({ delete: z.boolean().nullish(), rebuild: z.boolean().nullish() });

const changeProtection = setting("change_protection", (call, server) => {
  const body = read(call, protectionBody);
  return () => {
    server.protection.delete = body.delete ?? server.protection.delete;
    server.protection.rebuild = body.rebuild ?? server.protection.rebuild ?? false;
  };
});

const groupBody = z.object({ placement_group: z.number().int() });

const addToGroup = setting("add_to_placement_group", (call, server) => {
  const group = call.world.placementGroups.get(read(call, groupBody).placement_group);
  if (server.placementGroup !== null)
    throw invalid("placement_group", "server is already in a placement group");
  requireOff(server);
  requireRoom(call.world, group);
  server.placementGroup = group.id;
  return () => undefined;
});

const removeFromGroup = setting("remove_from_placement_group", (_call, server) => {
  if (server.placementGroup === null) throw invalid("placement_group", "server is not in a placement group");
  return () => {
    server.placementGroup = null;
  };
});

const attachIso = setting("attach_iso", (call, server) => {
  const { iso } = read(call, z.object({ iso: reference }));
  const found = isos.find((entry) => entry.id === Number(iso) || entry.name === iso);
  if (found === undefined) throw notFound("iso", iso);
  if (found.architecture !== call.world.serverType(server.serverType).architecture) {
    throw invalid("iso", "iso has another architecture");
  }
  return () => {
    server.iso = found.id;
  };
});

const dnsBody = z.object({ ip: z.string(), dns_ptr: z.string().nullable() });

const changeDns = setting("change_dns_ptr", (call, server) => {
  const { ip, dns_ptr } = read(call, dnsBody);
  const own = [server.ipv4, server.ipv6].flatMap((id) => call.world.primaryIps.find(id) ?? []);
  const owner =
    own.find((entry) => entry.ip === ip) ?? own.find((entry) => entry.type === "ipv6" && ip.includes(":"));
  if (owner === undefined) throw invalid("ip", "server does not have this IP");
  return () => {
    const others = owner.dns_ptr.filter((entry) => entry.ip !== ip);
    owner.dns_ptr = dns_ptr === null ? others : [...others, { ip, dns_ptr }];
  };
});

const imageBody = z.object({
  type: z.enum(["snapshot", "backup"]).nullish(),
  description: z.string().nullish(),
  labels,
});

function imageOf(world: World, server: Server, body: z.infer<typeof imageBody>): Image {
  const fresh = world.fresh("", body.labels);
  const known = world.images.all().map(({ disk }) => disk);
  return {
    ...fresh,
    type: body.type ?? "snapshot",
    status: "creating",
    description: body.description ?? `${server.name} ${fresh.created}`,
    image_size: null,
    disk_size: server.primaryDiskSize,
    created_from: { id: server.id, name: server.name },
    os_flavor: server.disk.kind === "talos" ? "unknown" : "debian",
    os_version: null,
    architecture: world.serverType(server.serverType).architecture,
    rapid_deploy: false,
    seeded: false,
    disk: server.disk.kind === "talos" ? server.disk : (diskFromLabels(fresh.labels, known) ?? server.disk),
  };
}

function createImage(call: Call): Reply {
  const { world } = call;
  const server = world.unlockedServer(call.id);
  const image = world.images.add(imageOf(world, server, read(call, imageBody)));
  const action = world.actions.start({
    command: "create_image",
    locks: [server],
    resources: [
      { id: server.id, type: "server" },
      { id: image.id, type: "image" },
    ],
    finish: () => {
      image.status = "available";
      image.image_size = 0.4;
    },
    abandon: () => world.images.remove(image.id),
  });
  return created({ image: imageView(image), action });
}

/** Labels given or changed after a snapshot was made can name the Talos on it. */
export function relabel(world: World, image: Image): void {
  if (image.type === "system" || image.disk.kind === "talos") return;
  const known = world.images.all().map(({ disk }) => disk);
  image.disk = diskFromLabels(image.labels, known) ?? image.disk;
}

const rootPassword = (): object => ({ root_password: randomBytes(10).toString("hex") });

const set = (command: string, change: Partial<Server>): Handler =>
  setting(command, (_call, server) => () => void Object.assign(server, change));

export const serverSettingRoutes: readonly Route[] = [
  ["POST /servers/:id/actions/change_protection", changeProtection],
  ["POST /servers/:id/actions/add_to_placement_group", addToGroup],
  ["POST /servers/:id/actions/remove_from_placement_group", removeFromGroup],
  ["POST /servers/:id/actions/attach_iso", attachIso],
  ["POST /servers/:id/actions/detach_iso", set("detach_iso", { iso: null })],
  [
    "POST /servers/:id/actions/enable_rescue",
    setting(
      "enable_rescue",
      (_call, server) => () => void Object.assign(server, { rescue: true }),
      rootPassword,
    ),
  ],
  ["POST /servers/:id/actions/disable_rescue", set("disable_rescue", { rescue: false })],
  ["POST /servers/:id/actions/enable_backup", set("enable_backup", { backupWindow: "22-02" })],
  ["POST /servers/:id/actions/disable_backup", set("disable_backup", { backupWindow: null })],
  ["POST /servers/:id/actions/change_dns_ptr", changeDns],
  ["POST /servers/:id/actions/create_image", createImage],
];
