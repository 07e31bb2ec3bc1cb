import { createHash } from "node:crypto";
import { readSchematic } from "../../factory/read";
import type { Dialect, Schematic } from "../../factory/types";
import { writeSchematic } from "../../factory/write";
import { type Answer, json, plain } from "./answers";
import { buildRefusal } from "./builds";
import type { Catalogue } from "./catalogue";
import { refusal } from "./messages";
import { idOf, recordedAnswer } from "./recorded";

/** What the simulated factory knows and stores. */
export interface FactoryState {
  readonly dialect: Dialect;
  /** `v1.5.0`: decides which fields an answer has. */
  readonly release: string;
  readonly catalogue: Catalogue;
  /** Canonical text by id. */
  readonly stored: Map<string, string>;
  /** One line for each POST: its id and who says so. */
  readonly origins: string[];
  /** Base URL of this server. */
  url: string;
}

export interface FactoryRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly body: string;
}

type Route = readonly [
  pattern: RegExp,
  handle: (state: FactoryState, groups: string[], body: string) => Answer,
];

const posts: readonly Route[] = [[/^\/schematics$/, (state, _, body) => createSchematic(state, body)]];

const gets: readonly Route[] = [
  [/^\/(?:healthz|readyz)$/, () => ({ status: 200, body: "" })],
  [/^\/schematics\/([^/]+)$/, (state, [id = ""]) => storedText(state, id)],
  // The real factory sets no JSON content type here.
  [/^\/versions$/, ({ catalogue }) => ({ status: 200, body: JSON.stringify(catalogue.versions) })],
  [
    /^\/version\/([^/]+)\/(extensions|overlays)\/official$/,
    (state, [version = "", kind]) => officialList(state, version, kind),
  ],
  [/^\/v2\/?$/, () => ({ status: 200, body: "" })],
  [/^\/v2\/([^/]+)\/([^/]+)\/manifests\/([^/]+)$/, (state, groups) => manifest(state, groups)],
  [/^\/backing\/v2\/(.+)$/, (_, [path = ""]) => backingManifest(path)],
  [/^\/image\/([^/]+)\/([^/]+)\/([^/]+)$/, (state, groups) => image(state, groups)],
];

/** Answers a request as the Image Factory does. */
export function answer(state: FactoryState, { method, path, body }: FactoryRequest): Answer {
  for (const [pattern, handle] of method === "POST" ? posts : gets) {
    const match = pattern.exec(path);
    if (match) return handle(state, match.slice(1), body);
  }
  return plain(404, "404 page not found");
}

function createSchematic(state: FactoryState, body: string): Answer {
  const recorded = recordedAnswer(body, state.dialect);
  if (recorded === undefined) return computed(state, body);
  const { source, text } = recorded;
  // The record holds no words; those are ours.
  if (text === undefined)
    return refused(body, state.dialect) ?? plain(400, `yaml: refused, as ${source} says`);
  return created(state, text, `recorded: ${source}`);
}

const OWN_CODE = "computed by this checkout's own factory code";

function computed(state: FactoryState, body: string): Answer {
  const { schematic } = readSchematic(body);
  const answer = refused(body, state.dialect);
  if (answer !== undefined) return answer;
  if (schematic.owner !== "") return plain(400, "owner field is only supported in Enterprise edition");
  return created(state, writeSchematic(schematic, state.dialect), OWN_CODE);
}

function refused(body: string, dialect: Dialect): Answer | undefined {
  const { findings } = readSchematic(body);
  const faults = dialect === "D4" ? [...findings.faults, ...findings.dates] : findings.faults;
  return faults.length > 0 ? plain(400, refusal(faults, dialect)) : undefined;
}

function created(state: FactoryState, text: string, origin: string): Answer {
  const id = idOf(text);
  state.stored.set(id, text);
  state.origins.push(`schematic ${id}: ${origin}`);
  const { status, body, headers } = json(201, tellsText(state.release) ? { id, schematic: text } : { id });
  return { status, body, headers: { ...headers, "X-Rehearsal": origin } };
}

/** Releases from v1.3.0 on answer with the canonical text too. */
function tellsText(release: string): boolean {
  const [major = 0, minor = 0] = release.replace(/^v/, "").split(".").map(Number);
  return major > 1 || (major === 1 && minor >= 3);
}

/** What the stored text asks for; undefined when there is none. */
function schematicOf({ stored }: FactoryState, id: string): Schematic | undefined {
  const text = stored.get(id);
  return text === undefined ? undefined : readSchematic(text).schematic;
}

function storedText({ stored }: FactoryState, id: string): Answer {
  const body = stored.get(id);
  if (body === undefined) return plain(404, "schematic not found");
  return { status: 200, body, headers: { "Content-Type": "application/yaml" } };
}

function officialList({ catalogue }: FactoryState, version: string, kind: string | undefined): Answer {
  const tag = version.startsWith("v") ? version : `v${version}`;
  if (!catalogue.versions.includes(tag)) return plain(404, `version ${tag} is not available`);
  if (kind === "overlays")
    return json(
      200,
      catalogue.overlays.map(({ name, image: path }) => ({ name, image: path, ...origin(path) })),
    );
  return json(
    200,
    catalogue.extensions.map((name) => ({ name, ...origin(name), author: "Sidero Labs", description: name })),
  );
}

function origin(name: string): { ref: string; digest: string } {
  return { ref: `ghcr.io/${name}:latest`, digest: digestOf(name) };
}

function digestOf(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

const refusedBuild = (state: FactoryState, id: string, version: string): Answer | undefined =>
  buildRefusal({ id, schematic: schematicOf(state, id), version, catalogue: state.catalogue });

function manifest(state: FactoryState, [name = "", id = "", tag = ""]: string[]): Answer {
  if (!/^(?:[a-z0-9]+-)?installer(?:-secureboot)?$/.test(name))
    return plain(400, `invalid image name: ${name}`);
  const newest = state.catalogue.versions.filter((version) => !version.includes("-")).at(-1) ?? "";
  const version = tag === "latest" ? newest : tag;
  const denied = refusedBuild(state, id, version);
  if (denied) return denied;
  const location = `${state.url}/backing/v2/${name}/${id}/manifests/${version}`;
  return { status: 307, body: "", headers: { Location: location } };
}

/** The registry behind the factory: an index for both architectures. */
function backingManifest(path: string): Answer {
  const mediaType = "application/vnd.oci.image.index.v1+json";
  const manifests = ["amd64", "arm64"].map((arch) => ({
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    digest: digestOf(`${path}/${arch}`),
    size: 1,
    platform: { architecture: arch, os: "linux" },
  }));
  const body = JSON.stringify({ schemaVersion: 2, mediaType, manifests });
  return {
    status: 200,
    body,
    headers: { "Content-Type": mediaType, "Docker-Content-Digest": digestOf(body) },
  };
}

function image(state: FactoryState, [id = "", version = "", file = ""]: string[]): Answer {
  const denied = refusedBuild(state, id, version);
  if (denied) return denied;
  if (!/^[a-z0-9]+-(?:amd64|arm64)/.test(file)) return plain(400, `invalid image path: ${file}`);
  const headers = { "Content-Type": "application/octet-stream" };
  return { status: 200, body: `simulated ${file} of ${id} ${version}\n`, headers };
}
