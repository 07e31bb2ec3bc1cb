import { ConfigError } from "../../base/faults";
import { type ImageRequest, imageFaults, imageReferences, installerPlatform } from "../../factory/images";

const id = "613e1592b2da41ae5e265e8789429f22e121aab91cb4deb6bc3c0b6262961245";
const request: ImageRequest = {
  id,
  factoryUrl: "https://factory.talos.dev",
  talosVersion: "v1.13.10",
  platform: "hcloud",
  arch: "amd64",
};

test("Hetzner Cloud", () => {
  expect(imageReferences(request)).toEqual({
    installer: `factory.talos.dev/hcloud-installer/${id}:v1.13.10`,
    diskImage: `https://factory.talos.dev/image/${id}/v1.13.10/hcloud-amd64.raw.xz`,
    container: "ghcr.io/siderolabs/talos:v1.13.10",
  });
});

test("metal, on ARM, from a factory of one's own", () => {
  const own = { ...request, platform: "metal", arch: "arm64", factoryUrl: "http://127.0.0.1:8080/" } as const;
  expect(imageReferences(own)).toEqual({
    installer: `127.0.0.1:8080/metal-installer/${id}:v1.13.10`,
    diskImage: `http://127.0.0.1:8080/image/${id}/v1.13.10/metal-arm64.raw.zst`,
    iso: `http://127.0.0.1:8080/image/${id}/v1.13.10/metal-arm64.iso`,
    container: "ghcr.io/siderolabs/talos:v1.13.10",
  });
});

test("a Docker lab names the metal installer, Hetzner its own", () => {
  expect([installerPlatform("docker"), installerPlatform("hetzner")]).toEqual(["metal", "hcloud"]);
});

test.each(["v1.14.0-rc.1", "v1.13.0"])("version %s is fine", (talosVersion) => {
  expect(imageFaults({ ...request, talosVersion })).toEqual([]);
});

const malformed: [string, Partial<ImageRequest>, string][] = [
  ["an id with a version (C005)", { id: `${id}_v1.12.2` }, "schematic id"],
  ["a short id", { id: id.slice(1) }, "schematic id"],
  ["an id in capitals", { id: id.toUpperCase() }, "schematic id"],
  ["a version without v", { talosVersion: "1.13.10" }, "talosVersion"],
  ["a version with a suffix", { talosVersion: "v1.13.10_x" }, "talosVersion"],
  ["a minor version", { talosVersion: "v1.13" }, "talosVersion"],
  ["a factory without a scheme", { factoryUrl: "factory.talos.dev" }, "factoryUrl"],
];

test.each(malformed)("%s is refused before any request", (_, change, key) => {
  expect(imageFaults({ ...request, ...change }).map((fault) => fault.key)).toEqual([key]);
  expect(() => imageReferences({ ...request, ...change })).toThrow(ConfigError);
});
