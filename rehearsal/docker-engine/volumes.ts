import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

import { hasLabels, parseFilters, parseVolumeCreate } from "./bodies";
import type { Route } from "./http";
import { EngineError, isTrue, route } from "./http";
import type { EngineVolume, World } from "./world";
import { newId, now, usersOf } from "./world";

const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;

interface NewVolume {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>> | null;
  readonly options: Readonly<Record<string, string>> | null;
}

/** Creates the volume or gives the one of that name, as the engine does; without a name an anonymous one. */
export function ensureVolume(world: World, wanted?: NewVolume): EngineVolume {
  const name = wanted?.name ?? newId();
  const known = world.volumes.get(name);
  if (known !== undefined) return known;
  if (!NAME.test(name)) {
    throw new EngineError(
      400,
      `create ${name}: "${name}" includes invalid characters for a local volume name, only "[a-zA-Z0-9][a-zA-Z0-9_.-]" are allowed. If you intended to pass a host directory, use absolute path`,
    );
  }
  const mountpoint = join(world.dir, "volumes", name, "_data");
  mkdirSync(mountpoint, { recursive: true, mode: 0o700 });
  const volume = {
    name,
    created: now(),
    labels: wanted?.labels ?? null,
    options: wanted?.options ?? null,
    mountpoint,
    anonymous: wanted === undefined,
  };
  world.volumes.set(name, volume);
  return volume;
}

const inspect = (volume: EngineVolume) => ({
  Name: volume.name,
  Driver: "local",
  Mountpoint: volume.mountpoint,
  CreatedAt: volume.created,
  Labels: volume.labels,
  Options: volume.options,
  Scope: "local",
});

function find(world: World, name: string): EngineVolume {
  const volume = world.volumes.get(name);
  if (volume === undefined) throw new EngineError(404, `get ${name}: no such volume`);
  return volume;
}

export function removeVolume(world: World, name: string): void {
  const volume = find(world, name);
  const users = usersOf(world, volume).map(({ id }) => id);
  if (users.length > 0)
    throw new EngineError(409, `remove ${name}: volume is in use - [${users.join(", ")}]`);
  world.volumes.delete(name);
  rmSync(dirname(volume.mountpoint), { recursive: true, force: true });
}

function list(world: World, filtersText: string | null): EngineVolume[] {
  const filters = parseFilters(filtersText);
  const names = filters.get("name");
  return [...world.volumes.values()]
    .filter(({ labels }) => hasLabels(labels ?? {}, filters.get("label")))
    .filter(({ name }) => names === undefined || names.some((part) => name.includes(part)));
}

function create(world: World, body: unknown): EngineVolume {
  const { Name: name, Labels: labels, DriverOpts: options } = parseVolumeCreate(body);
  return ensureVolume(world, {
    name: name === undefined || name === "" ? newId() : name,
    labels: labels ?? null,
    options: options ?? null,
  });
}

export const volumeRoutes = (world: World): Route[] => [
  route("GET", "/volumes", ({ query }) => ({
    status: 200,
    json: { Volumes: list(world, query.get("filters")).map(inspect), Warnings: null },
  })),
  route("POST", "/volumes/create", ({ body }) => ({ status: 201, json: inspect(create(world, body)) })),
  route("GET", "/volumes/:name", ({ params }) => ({
    status: 200,
    json: inspect(find(world, params["name"] ?? "")),
  })),
  route("DELETE", "/volumes/:name", ({ params, query }) => {
    const name = params["name"] ?? "";
    if (world.volumes.has(name) || !isTrue(query.get("force"))) removeVolume(world, name);
    return { status: 204 };
  }),
];
