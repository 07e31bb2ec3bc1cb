import { ConfigError, type Fault } from "../base/faults";
import { type SchematicPlatform, schematicUses } from "./platforms";

export type ImagePlatform = "metal" | "hcloud";
export type Architecture = "amd64" | "arm64";

export interface ImageRequest {
  /** Schematic id. */
  readonly id: string;
  /** Base URL of the Image Factory: `https://factory.talos.dev`. */
  readonly factoryUrl: string;
  /** `v1.13.10` */
  readonly talosVersion: string;
  readonly platform: ImagePlatform;
  readonly arch: Architecture;
}

export interface ImageReferences {
  /** `<factory host>/<platform>-installer/<id>:<version>`, for both architectures. */
  readonly installer: string;
  readonly diskImage: string;
  /** Bare metal and virtual machines; Hetzner Cloud has none of its own. */
  readonly iso?: string;
  /** What Docker nodes run: no schematic reaches it. */
  readonly container: string;
}

/** All references for one schematic, version, platform and architecture; throws `ConfigError` on a malformed part. */
export function imageReferences(request: ImageRequest): ImageReferences {
  const faults = imageFaults(request);
  if (faults.length > 0) throw new ConfigError(faults);
  const { id, talosVersion, platform, arch } = request;
  const base = new URL(request.factoryUrl);
  const host = base.host;
  const files = `${base.origin}${base.pathname.replace(/\/+$/, "")}/image/${id}/${talosVersion}`;
  return {
    installer: `${host}/${platform}-installer/${id}:${talosVersion}`,
    diskImage: `${files}/${platform}-${arch}.${compression[platform]}`,
    ...(withIso.includes(platform) ? { iso: `${files}/${platform}-${arch}.iso` } : {}),
    container: containerImage(talosVersion),
  };
}

/** Hetzner's rescue system has no zstd. */
const compression: Readonly<Record<ImagePlatform, string>> = { metal: "raw.zst", hcloud: "raw.xz" };
const withIso: readonly ImagePlatform[] = ["metal"];

/** The Talos container image for Docker nodes. */
function containerImage(talosVersion: string): string {
  return `ghcr.io/siderolabs/talos:${talosVersion}`;
}

/** The platform in the installer's name. */
export const installerPlatform = (platform: SchematicPlatform): ImagePlatform =>
  schematicUses[platform].installer;

const talosVersionPattern = /^v\d+\.\d+\.\d+(?:-[0-9A-Za-z]+(?:\.[0-9A-Za-z]+)*)?$/;

/** What is wrong with a request, before anything is asked of a factory. */
export function imageFaults({ id, talosVersion, factoryUrl }: ImageRequest): Fault[] {
  const faults: Fault[] = [];
  if (!/^[0-9a-f]{64}$/.test(id)) {
    const rule = "a schematic id is exactly 64 lower-case hex digits";
    faults.push({
      key: "schematic id",
      value: id,
      rule,
      repair: "take the id alone, without version or suffix",
    });
  }
  if (!talosVersionPattern.test(talosVersion)) {
    const rule = "a Talos version is vX.Y.Z or vX.Y.Z-pre";
    faults.push({ key: "talosVersion", value: talosVersion, rule, repair: "write it like v1.13.10" });
  }
  if (!/^https?:$/.test(URL.canParse(factoryUrl) ? new URL(factoryUrl).protocol : "")) {
    const rule = "the factory's address is an http or https URL";
    faults.push({
      key: "factoryUrl",
      value: factoryUrl,
      rule,
      repair: "write it like https://factory.talos.dev",
    });
  }
  return faults;
}
