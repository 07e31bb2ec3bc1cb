import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { talosPlugin } from "../../../plugins/talos";
import type { Props } from "../../../plugins/framework/types";
import { unknown } from "../../../plugins/framework/values";

const extension = (name: string) => ({ name, ref: `r/${name}`, digest: "d", author: "a", description: "t" });
const answers: Record<string, unknown> = {
  "GET /versions": ["v1.13.9", "v1.13.10", "v1.14.0-beta.0"],
  "GET /version/v1.13.10/extensions/official": ["siderolabs/iscsi-tools", "siderolabs/util-linux-tools"].map(
    extension,
  ),
  "GET /version/v1.13.10/overlays/official": [{ name: "rpi_generic", image: "i", ref: "r", digest: "d" }],
  "POST /schematics": { id: "abc" },
};

let server: Server;
const posted: string[] = [];
const plugin = talosPlugin({ talosctl: "/nonexistent", simnode: "/nonexistent" });
const invoke = (name: string, args: Props) =>
  plugin.functions[`talos:imageFactory/${name}:${name}`]!(args, false);

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const answer = answers[`${request.method ?? ""} ${request.url ?? ""}`];
      if (request.method === "POST") posted.push(body);
      response.writeHead(answer === undefined ? 404 : 200, { "Content-Type": "application/json" });
      response.end(answer === undefined ? "not there" : JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await plugin.configure({ imageFactoryUrl: `http://127.0.0.1:${port}` });
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

test("versions, all and stable", async () => {
  expect((await invoke("getVersions", {}))["talosVersions"]).toHaveLength(3);
  const stable = await invoke("getVersions", { filters: { stableVersionsOnly: true } });
  expect(stable["talosVersions"]).toEqual(["v1.13.9", "v1.13.10"]);
});

test("extensions by part of a name, by the exact name, and of a version that is not there", async () => {
  const found = async (args: Props) =>
    (await invoke("getExtensionsVersions", { talosVersion: "1.13.10", ...args }))["extensionsInfos"];
  expect(await found({ filters: { names: ["iscsi"] } })).toEqual([extension("siderolabs/iscsi-tools")]);
  expect(await found({ exactFilters: { names: ["iscsi"] } })).toEqual([]);
  expect(await found({})).toHaveLength(2);
  await expect(found({ talosVersion: "v1.0.0" })).rejects.toThrow(
    "failed to get talos extensions versions: not there",
  );
});

test("overlays", async () => {
  const args = { talosVersion: "v1.13.10", filters: { name: "rpi" } };
  expect((await invoke("getOverlaysVersions", args))["overlaysInfos"]).toHaveLength(1);
});

test("addresses of hcloud and metal assets", async () => {
  await plugin.configure({});
  const urls = async (args: Props) =>
    (await invoke("getUrls", { schematicId: "abc", talosVersion: "1.13.10", ...args }))["urls"];
  expect(await urls({ platform: "hcloud" })).toMatchObject({
    installer: "factory.talos.dev/hcloud-installer/abc:v1.13.10",
    diskImage: "https://factory.talos.dev/image/abc/v1.13.10/hcloud-amd64.raw.xz",
    isoSecureboot: "",
  });
  expect(await urls({ platform: "metal", architecture: "arm64" })).toMatchObject({
    installerSecureboot: "factory.talos.dev/metal-installer-secureboot/abc:v1.13.10",
    iso: "https://factory.talos.dev/image/abc/v1.13.10/metal-arm64.iso",
    pxe: "https://pxe.factory.talos.dev/pxe/abc/v1.13.10/metal-arm64",
  });
  await expect(urls({})).rejects.toThrow("exactly one of platform and sbc");
  const { port } = server.address() as AddressInfo;
  await plugin.configure({ imageFactoryUrl: `http://127.0.0.1:${port}` });
});

test("a schematic is posted at creation and at each change, and its id is unknown in a preview", async () => {
  const resource = plugin.resources["talos:imageFactory/schematic:Schematic"]!;
  const inputs = { schematic: "customization: {}\n" };
  const request = {
    urn: "u",
    name: "n",
    inputs,
    signal: new AbortController().signal,
    log: () => undefined,
  };
  const previewed = await resource.create({ ...request, preview: true });
  expect(previewed.state["id"]).toBe(unknown);
  expect(posted).toEqual([]);
  const made = await resource.create({ ...request, preview: false });
  expect(made).toEqual({ id: "abc", state: { ...inputs, id: "abc" } });
  const common = { ...request, id: "abc", olds: made.state, oldInputs: inputs, ignoreChanges: [] };
  expect((await resource.diff({ ...common, news: inputs })).changes).toBe("DIFF_NONE");
  await resource.update({ ...common, preview: false, inputs: { schematic: "overlay: {}\n" } });
  expect(posted).toEqual(["customization: {}\n", "overlay: {}\n"]);
});
