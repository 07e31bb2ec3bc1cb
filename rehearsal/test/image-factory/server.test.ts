import axios from "axios";
import { type Factory, type FactoryOptions, startFactory } from "../../image-factory";

const started: Factory[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((factory) => factory.stop()));
});

async function start(options: FactoryOptions = {}) {
  const factory = await startFactory(options);
  started.push(factory);
  const http = axios.create({
    baseURL: factory.url,
    validateStatus: () => true,
    maxRedirects: 0,
    proxy: false,
  });
  const post = async (body: string) => http.post<{ id: string; schematic?: string }>("/schematics", body);
  return { factory, http, post };
}

const id = "613e1592b2da41ae5e265e8789429f22e121aab91cb4deb6bc3c0b6262961245";
const longhorn =
  "customization: {systemExtensions: {officialExtensions: [siderolabs/iscsi-tools, siderolabs/util-linux-tools]}}";

test("POST answers 201 with id and text, the second time too; then GET knows it", async () => {
  const { http, post, factory } = await start();
  expect((await http.get(`/schematics/${id}`)).status).toBe(404);
  for (const answer of [await post(longhorn), await post(longhorn)]) {
    expect(answer.status).toBe(201);
    expect(answer.headers.server).toBe("Image Factory v1.5.0");
    expect(answer.data).toMatchObject({
      id,
      schematic: expect.stringMatching(/^customization:\n {4}/) as string,
    });
  }
  expect((await http.get(`/schematics/${id}`)).data).toMatch(/^customization:/);
  expect(factory.requests.map(({ method, path, status }) => [method, path, status])).toEqual([
    ["GET", `/schematics/${id}`, 404],
    ["POST", "/schematics", 201],
    ["POST", "/schematics", 201],
    ["GET", `/schematics/${id}`, 200],
  ]);
});

test.each([
  ["something: 1", "yaml: construct errors: line 1: field something not found in type schematic.Schematic\n"],
  [
    "customization: {meta: [{key: 1, value: {a: b}}]}",
    "yaml: construct errors: line 1: cannot construct !!map into string\n",
  ],
  ["", "EOF\n"],
  ["owner: alice", "owner field is only supported in Enterprise edition\n"],
  [
    "customization: {extraKernelArgs: [2001-01-01]}",
    "yaml: construct errors: line 1: cannot construct !!timestamp `2001-01-01` into string\n",
  ],
])("%j is refused with 400", async (body, message) => {
  const { post } = await start();
  const answer = await post(body);
  expect([answer.status, answer.data]).toEqual([400, message]);
});

test.each([
  [
    "v0.8.4",
    "yaml: unmarshal errors:\n  line 1: field something not found in type schematic.Schematic\n",
    "27e859eb",
  ],
  [
    "v1.0.3",
    "yaml: unmarshal errors:\n  line 1: field something not found in type schematic.Schematic\n",
    "27e859eb",
  ],
  [
    "v1.4.0",
    "yaml: construct errors:\n  line 1: field something not found in type schematic.Schematic\n",
    "27e859eb",
  ],
  [
    "v1.5.0",
    "yaml: construct errors: line 1: field something not found in type schematic.Schematic\n",
    "d8f665fc",
  ],
])("release %s has its own words and ids", async (release, message, start8) => {
  const { post } = await start({ release });
  expect((await post("something: 1")).data).toBe(message);
  const answer = await post("customization: {secureboot: {enrollKeys: off}}");
  expect(answer.data.id.slice(0, 8)).toBe(start8);
  expect("schematic" in answer.data).toBe(release >= "v1.3.0");
});

test("lists", async () => {
  const { http } = await start();
  expect((await http.get("/versions")).data).toContain("v1.13.10");
  expect((await http.get("/versions")).headers["content-type"]).toBeUndefined();
  expect((await http.get("/version/1.13.10/extensions/official")).data).toContainEqual(
    expect.objectContaining({
      name: "siderolabs/iscsi-tools",
      digest: expect.stringMatching(/^sha256:/) as string,
    }),
  );
  expect((await http.get("/version/v1.13.10/overlays/official")).data).toContainEqual(
    expect.objectContaining({ name: "rpi_generic", image: "siderolabs/sbc-raspberrypi" }),
  );
  const missing = await http.get("/version/v9.9.9/extensions/official");
  expect([missing.status, missing.data]).toEqual([404, "version v9.9.9 is not available\n"]);
  expect((await http.get("/healthz")).status).toBe(200);
  expect((await http.get("/nothing")).status).toBe(404);
});

test("installer manifests: redirected to the registry behind, once the schematic is known", async () => {
  const { http, post } = await start();
  const path = `/v2/hcloud-installer/${id}/manifests/v1.13.10`;
  const unknown = await http.head(path);
  expect(unknown.status).toBe(404);
  await post(longhorn);
  const found = await http.head(path);
  expect(found.status).toBe(307);
  expect((await http.get(String(found.headers["location"]))).data).toMatchObject({ manifests: [{}, {}] });
  expect((await http.head(`/v2/hcloud-installer/${id}/manifests/latest`)).headers["location"]).toMatch(
    /v1\.13\.10$/,
  );
  expect((await http.head(`/v2/talos/${id}/manifests/v1.13.10`)).status).toBe(400);
  expect((await http.get(`/v2/installer/${id}/manifests/v9.9.9`)).status).toBe(404);
});

test.each([
  [
    "customization: {systemExtensions: {officialExtensions: [siderolabs/nope]}}",
    'official extension "siderolabs/nope" is not available for Talos version v1.13.10',
  ],
  [
    "overlay: {image: registry.example.net/library/sbc-raspberrypi:v0.1.0, name: sbc-raspberrypi}",
    "is not available for Talos version v1.13.10",
  ],
  ['customization: {extraKernelArgs: ["\\ta\\nb"]}', "yaml:"],
])("%s is accepted, and fails at the first build", async (body, message) => {
  const { http, post } = await start();
  const { status, data } = await post(body);
  expect(status).toBe(201);
  const built = await http.get(`/image/${data.id}/v1.13.10/hcloud-amd64.raw.xz`);
  expect(built.status).toBe(400);
  expect(built.data).toContain(message);
});

test("renamed extensions are found when building, and disk images are served", async () => {
  const { http, post } = await start();
  const { data } = await post(
    "customization: {systemExtensions: {officialExtensions: [siderolabs/i915-ucode]}}",
  );
  const built = await http.get(`/image/${data.id}/v1.13.10/metal-amd64.raw.zst`);
  expect([built.status, built.headers["content-type"]]).toEqual([200, "application/octet-stream"]);
});

test("faults: status for the next n, a wrong id, a cut connection, no answer", async () => {
  const { factory, post } = await start({
    faults: [{ path: /schematics/, times: 2, status: 503, body: "busy\n" }],
  });
  expect([(await post("{}")).status, (await post("{}")).status, (await post("{}")).status]).toEqual([
    503, 503, 201,
  ]);
  factory.faults.add({ method: "POST", path: /schematics/, wrongId: "0".repeat(64), wrongText: "x: 1\n" });
  expect((await post("{}")).data).toEqual({ id: "0".repeat(64), schematic: "x: 1\n" });
  factory.faults.add({ path: /schematics/, drop: true });
  await expect(post("{}")).rejects.toThrow(/hang up|reset/i);
  factory.faults.add({ path: /schematics/, hang: true });
  await expect(axios.post(`${factory.url}/schematics`, "{}", { timeout: 100, proxy: false })).rejects.toThrow(
    /timeout/,
  );
  expect(factory.requests.map(({ status }) => status)).toEqual([503, 503, 201, 201, undefined, undefined]);
});

test("stop ends a request that hangs", async () => {
  const { factory, post } = await start({ faults: [{ path: /schematics/, hang: true }] });
  const hanging = expect(post("{}")).rejects.toThrow();
  while (factory.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await factory.stop();
  await hanging;
});
