import { createHash } from "node:crypto";

import type { Route } from "./http";
import { EngineError, isTrue, route } from "./http";
import type { EngineImage, World } from "./world";
import { now } from "./world";

const TALOS = /^ghcr\.io\/siderolabs\/talos(:|@)/;

const normalise = (reference: string): string =>
  /[:@][^/]*$/.test(reference) ? reference : `${reference}:latest`;

const talosVersion = (reference: string): string | undefined => /:(v\d+\.\d+\.\d+[^@]*)/.exec(reference)?.[1];

const imageId = (reference: string): string =>
  `sha256:${createHash("sha256").update(reference).digest("hex")}`;

/** Puts an image into the engine as if it had been pulled or imported; `version` is what its nodes run. */
export function addImage(world: World, reference: string, version = talosVersion(reference)): EngineImage {
  const name = normalise(reference);
  const known = lookUp(world, name);
  if (known !== undefined) return known;
  const image = { id: imageId(name), references: new Set([name]), created: now(), talosVersion: version };
  world.images.set(image.id, image);
  return image;
}

function lookUp(world: World, reference: string): EngineImage | undefined {
  const name = normalise(reference);
  const byId = world.images.get(reference) ?? world.images.get(`sha256:${reference}`);
  return byId ?? [...world.images.values()].find(({ references }) => references.has(name));
}

export function findImage(world: World, reference: string): EngineImage {
  const image = lookUp(world, reference);
  if (image === undefined) throw new EngineError(404, `No such image: ${normalise(reference)}`);
  return image;
}

function inspected(world: World, reference: string): EngineImage {
  const image = lookUp(world, reference);
  if (image !== undefined) return image;
  throw new EngineError(404, `no such image: ${reference}: No such image: ${normalise(reference)}`);
}

const inspect = (image: EngineImage) => ({
  Id: image.id,
  RepoTags: [...image.references].filter((name) => !name.includes("@")),
  RepoDigests: [...image.references].filter((name) => name.includes("@")),
  Created: image.created,
  Os: "linux",
  Architecture: "amd64",
  Size: 0,
  Config: {
    Entrypoint: ["/sbin/init"],
    Cmd: null,
    Env: null,
    Labels: null,
    Volumes: null,
    ExposedPorts: null,
  },
});

const summary = (image: EngineImage) => ({
  Id: image.id,
  ParentId: "",
  RepoTags: inspect(image).RepoTags,
  RepoDigests: inspect(image).RepoDigests,
  Created: Math.floor(Date.parse(image.created) / 1000),
  Size: 0,
  Labels: null,
  Containers: -1,
});

/** What dockerd answers when the registry is not there: nothing listens on loopback, nothing resolves elsewhere. */
function unreachable(reference: string): EngineError {
  const host = reference.split("/")[0] ?? "";
  const isHost = reference.includes("/") && /[.:]|^localhost$/.test(host);
  if (isHost && /^(127\.|localhost)/.test(host)) {
    return new EngineError(500, `Get "http://${host}/v2/": dial tcp ${host}: connect: connection refused`);
  }
  const registry = isHost ? host : "registry-1.docker.io";
  return new EngineError(500, `Get "https://${registry}/v2/": dial tcp: lookup ${registry}: no such host`);
}

function pull(world: World, query: URLSearchParams): string {
  const from = query.get("fromImage") ?? "";
  const tag = query.get("tag") ?? "";
  const reference = tag === "" ? normalise(from) : `${from}${tag.startsWith("sha256:") ? "@" : ":"}${tag}`;
  if (lookUp(world, reference) === undefined) {
    if (!TALOS.test(reference)) throw unreachable(reference);
    const image = addImage(world, reference);
    const digest = image.id.replace("sha256:", "").split("").reverse().join("");
    image.references.add(`${reference.replace(/[:@][^/]*$/, "")}@sha256:${digest}`);
  }
  return `${JSON.stringify({ status: `Status: Image is up to date for ${reference}` })}\n`;
}

function remove(world: World, reference: string, force: boolean) {
  const image = findImage(world, reference);
  const user = [...world.containers.values()].find((container) => container.image === image);
  if (user !== undefined && !force) {
    const text = `conflict: unable to remove repository reference "${reference}" (must force) - container ${user.id.slice(0, 12)} is using its referenced image ${image.id.slice(7, 19)}`;
    throw new EngineError(409, text);
  }
  world.images.delete(image.id);
  return [...[...image.references].map((name) => ({ Untagged: name })), { Deleted: image.id }];
}

export const imageRoutes = (world: World): Route[] => [
  route("GET", "/images/json", () => ({ status: 200, json: [...world.images.values()].map(summary) })),
  route("POST", "/images/create", ({ query }) => ({ status: 200, text: pull(world, query) })),
  route("GET", "/images/:name+/json", ({ params }) => ({
    status: 200,
    json: inspect(inspected(world, params["name"] ?? "")),
  })),
  route("DELETE", "/images/:name+", ({ params, query }) => ({
    status: 200,
    json: remove(world, params["name"] ?? "", isTrue(query.get("force"))),
  })),
];
