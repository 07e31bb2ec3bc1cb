import { createHash } from "node:crypto";
import { z } from "zod";
import {
  type Call,
  created,
  type Handler,
  labels,
  name,
  noContent,
  ok,
  read,
  type Reply,
  type Route,
} from "../core/call";
import { isos, loadBalancerTypes, locations, pricing, serverTypes } from "../core/catalogue";
import { ApiError, invalid, notFound } from "../core/errors";
import { checkLabels } from "../core/labels";
import { page } from "../core/lists";
import type { SshKey } from "../core/model";
import { loadBalancerTypeView, serverTypeView, volumeView } from "../core/views";
import { requireUnlocked, type World } from "../core/world";

interface Entry {
  readonly id: number;
  readonly name: string;
}

/** List and get of something that cannot be changed. */
const readOnly = (
  names: { plural: string; single: string },
  entries: (world: World) => readonly Entry[],
): Route[] => [
  [`GET /${names.plural}`, ({ world, query }) => ok(page(names.plural, entries(world), query))],
  [
    `GET /${names.plural}/:id`,
    ({ world, id }) => {
      const entry = entries(world).find((candidate) => candidate.id === id);
      if (entry === undefined) throw notFound(names.single.replaceAll("_", " "), id);
      return ok({ [names.single]: entry });
    },
  ],
];

const actionRoutes: readonly Route[] = [
  [
    "GET /actions",
    ({ world, query }) => ok(page("actions", world.actions.list(query.getAll("id")), withoutId(query))),
  ],
  ["GET /actions/:id", ({ world, id }) => ok({ action: world.actions.find(id) })],
  ...(
    [
      ["servers", "server"],
      ["networks", "network"],
      ["firewalls", "firewall"],
      ["load_balancers", "load_balancer"],
      ["images", "image"],
      ["primary_ips", "primary_ip"],
      ["volumes", "volume"],
    ] as const
  ).map(([plural, type]): Route => [
    `GET /${plural}/:id/actions`,
    ({ world, id, query }) => ok(page("actions", world.actions.of(type, id), query)),
  ]),
];

/** Statuses that an action can have are also a filter of the list; ids are not. */
function withoutId(query: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(query);
  rest.delete("id");
  return rest;
}

const sshKeyView = ({ protection: _, ...key }: SshKey) => key;

function createKey(call: Call): Reply {
  const { world } = call;
  const body = read(call, z.object({ name, public_key: z.string(), labels }));
  const [, blob = ""] = body.public_key.trim().split(/\s+/);
  if (!/^[A-Za-z0-9+/=]{16,}$/.test(blob)) throw invalid("public_key", "is not a valid OpenSSH public key.");
  const digest = createHash("md5").update(Buffer.from(blob, "base64")).digest("hex");
  const fingerprint = digest.replace(/..(?=.)/g, "$&:");
  const isTaken = world.sshKeys.all().some((key) => key.fingerprint === fingerprint);
  if (isTaken) throw new ApiError(409, { code: "uniqueness_error", message: "SSH key not unique" });
  world.sshKeys.requireFree(body.name);
  const key = { ...world.fresh(body.name, body.labels), public_key: body.public_key, fingerprint };
  return created({ ssh_key: sshKeyView(world.sshKeys.add(key)) });
}

function updateKey(call: Call): Reply {
  const key = call.world.sshKeys.get(call.id);
  const body = read(call, z.object({ name: name.nullish(), labels }));
  if (body.name != null) call.world.sshKeys.requireFree(body.name, key.id);
  checkLabels(body.labels ?? {});
  key.name = body.name ?? key.name;
  key.labels = body.labels ?? key.labels;
  return ok({ ssh_key: sshKeyView(key) });
}

const sshKeyRoutes: readonly Route[] = [
  ["GET /ssh_keys", ({ world, query }) => ok(page("ssh_keys", world.sshKeys.all().map(sshKeyView), query))],
  ["GET /ssh_keys/:id", ({ world, id }) => ok({ ssh_key: sshKeyView(world.sshKeys.get(id)) })],
  ["POST /ssh_keys", createKey],
  ["PUT /ssh_keys/:id", updateKey],
  [
    "DELETE /ssh_keys/:id",
    ({ world, id }) => {
      world.sshKeys.remove(world.sshKeys.get(id).id);
      return noContent;
    },
  ],
];

const volumeBody = z.object({
  name,
  size: z.number().int().min(10).max(10240),
  server: z.number().int().nullish(),
  location: z.string().nullish(),
  labels,
  format: z.string().nullish(),
});

function createVolume(call: Call): Reply {
  const { world } = call;
  const body = read(call, volumeBody);
  const server = body.server == null ? null : world.servers.get(body.server);
  const wanted = server?.location ?? body.location;
  if (wanted == null) throw invalid("location", "location or server is required.");
  world.volumes.requireFree(body.name);
  const location = world.location(wanted).name;
  const volume = world.volumes.add({
    ...world.fresh(body.name, body.labels),
    lockedBy: null,
    size: body.size,
    server: server?.id ?? null,
    location,
    format: body.format ?? null,
  });
  const resources = [{ id: volume.id, type: "volume" }];
  const action = world.actions.start({ command: "create_volume", resources, locks: [volume] });
  return created({ volume: volumeView(world, volume), action, next_actions: [] });
}

const attachment =
  (command: string): Handler =>
  (call) => {
    const volume = call.world.volumes.get(call.id);
    requireUnlocked(volume, "volume");
    const { server } = read(call, z.object({ server: z.number().int().nullish() }));
    const target = command === "attach_volume" ? call.world.servers.get(server ?? 0).id : null;
    const finish = (): void => {
      volume.server = target;
    };
    const resources = [{ id: volume.id, type: "volume" }];
    return created({ action: call.world.actions.start({ command, resources, locks: [volume], finish }) });
  };

function deleteVolume({ world, id }: Call): Reply {
  const volume = world.volumes.unprotected(id);
  if (volume.server !== null) {
    throw new ApiError(422, {
      code: "volume_still_attached",
      message: "volume is still attached to a server",
    });
  }
  world.volumes.remove(id);
  return noContent;
}

const volumeRoutes: readonly Route[] = [
  [
    "GET /volumes",
    ({ world, query }) => {
      const volumes = world.volumes.all().map((volume) => volumeView(world, volume));
      return ok(page("volumes", volumes, query));
    },
  ],
  ["GET /volumes/:id", ({ world, id }) => ok({ volume: volumeView(world, world.volumes.get(id)) })],
  ["POST /volumes", createVolume],
  ["DELETE /volumes/:id", deleteVolume],
  ["POST /volumes/:id/actions/attach", attachment("attach_volume")],
  ["POST /volumes/:id/actions/detach", attachment("detach_volume")],
];

const gone: Handler = () => {
  throw new ApiError(410, {
    code: "deprecated_api_endpoint",
    message: "datacenters were removed, use locations",
    details: { announcement: "https://docs.hetzner.cloud/changelog#2025-12-16-phasing-out-datacenters" },
  });
};

export const otherRoutes: readonly Route[] = [
  ...actionRoutes,
  ...sshKeyRoutes,
  ...volumeRoutes,
  ...readOnly({ plural: "locations", single: "location" }, () => locations),
  ...readOnly({ plural: "isos", single: "iso" }, () => isos),
  ...readOnly({ plural: "server_types", single: "server_type" }, (world) =>
    serverTypes.map((type) => serverTypeView(world, type)),
  ),
  ...readOnly({ plural: "load_balancer_types", single: "load_balancer_type" }, () =>
    loadBalancerTypes.map(loadBalancerTypeView),
  ),
  ...readOnly({ plural: "floating_ips", single: "floating_ip" }, () => []),
  ...readOnly({ plural: "certificates", single: "certificate" }, () => []),
  ["GET /pricing", () => ok({ pricing })],
  ["GET /datacenters", gone],
  ["GET /datacenters/:id", gone],
];
