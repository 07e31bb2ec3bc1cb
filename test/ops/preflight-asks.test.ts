/** What `talos-fleet preflight` asks beyond the engine: the Image Factory, the Hetzner account, and the stack file itself. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { checkout, engine, preflight, rig, serve, stackFile, useRig, write } from "./preflight-rig";

useRig();

/** The committed fleet's stack file, with a factory and an account on loopback. */
function fleetFile(endpoint = "http://127.0.0.1:1", keys: Record<string, unknown> = {}): string {
  const committed = parse(readFileSync(join(checkout, "Pulumi.hetzner.yaml"), "utf8")) as { config: object };
  const config = {
    ...committed.config,
    "talos-fleet:schematic": { customization: {} },
    "talos-fleet:patches": {},
    "talos-fleet:factoryUrl": rig.factoryUrl,
    "hcloud:endpoint": endpoint,
    ...keys,
  };
  const file = join(rig.home, "Pulumi.hetzner.yaml");
  write(file, stringify({ config }));
  return file;
}

const stopsIn = (lines: string[]) =>
  lines.flatMap((line) => /^stop {2}([^:]+:?[^:]*): /.exec(line)?.[1] ?? []);

test("hetzner: what `up` would miss, and that the account is not asked", async () => {
  const file = fleetFile();
  const without = await preflight(file);
  expect(without.code).toBe(1);
  expect(without.lines[0]).toBe(
    "Hetzner account of hetzner: looked at the stack file and for a token; the account itself (limits, server types, capacity) is not asked",
  );
  expect(without.lines.filter((line) => line.startsWith("stop"))).toHaveLength(3);
  expect(stopsIn(without.lines)).toContain("hcloud:token");
  const given = await preflight(file, { HCLOUD_TOKEN: TOKEN });
  expect(given.lines.filter((line) => line.startsWith("stop"))).toHaveLength(2);
  expect(given.lines.join("\n")).not.toContain("hcloud:token");
  expect(given.lines.join("\n")).not.toContain(TOKEN);
  expect(given.lines).toContain("warn  Hetzner account");
});

const TOKEN = "t".repeat(64);

test("hetzner: with a token that can be read the account is asked for server types and locations", async () => {
  const places = (...names: string[]) => names.map((name) => ({ id: 1, name, available: name !== "hel1" }));
  const endpoint = await serve({
    "/locations": { locations: places("fsn1", "nbg1", "hel1") },
    "/server_types?name=cpx32": {
      server_types: [{ id: 1, name: "cpx32", locations: places("fsn1", "hel1") }],
    },
    "/server_types?name=cx99": { server_types: [] },
  });
  const pool = (name: string, more: object) => ({ name, count: 1, serverType: "cpx32", ...more });
  const file = fleetFile(endpoint, {
    "talos-fleet:controlPlanes": { count: 1, serverType: "cpx32", location: "nbg1" },
    "talos-fleet:workers": [
      pool("a", { firstAddress: 20, location: "fsn1" }),
      pool("b", { firstAddress: 30, location: "hel1" }),
      pool("c", { firstAddress: 40, location: "fsn1", serverType: "cx99" }),
    ],
  });
  const { lines } = await preflight(file, { HCLOUD_TOKEN: TOKEN });
  expect(lines[0]).toBe(
    "Hetzner account of hetzner: asked for its server types and locations; limits and capacity are not",
  );
  expect(lines.filter((line) => /^ {6}seen: .*(cpx32|cx99)/.test(line)).map((line) => line.trim())).toEqual([
    "seen: nbg1 does not offer cpx32",
    "seen: cpx32 cannot be ordered in hel1 at this moment",
    "seen: Hetzner knows no server type cx99",
  ]);
  expect(lines).toContain("      do:   cpx32 can be had in fsn1");
});

test("hetzner: a token cut short, one that the account refuses, and one that only Pulumi can read", async () => {
  const short = await preflight(fleetFile(), { HCLOUD_TOKEN: "t".repeat(60) });
  expect(short).toMatchObject({ code: 2 });
  expect(short.errors).toContain("hcloud:token: (value not shown): has 60 characters");
  const endpoint = await serve({}, { status: 401, code: "unauthorized" });
  const refused = await preflight(fleetFile(endpoint), { HCLOUD_TOKEN: TOKEN });
  expect(refused.lines).toContain("stop  Hetzner token");
  const secret = await preflight(fleetFile(endpoint, { "hcloud:token": { secure: "v1:x" } }));
  expect(secret.lines[0]).toContain("is not asked");
  expect(stopsIn(secret.lines)).not.toContain("hcloud:token");
});

test("the factory is asked for the version and for the names of the schematic", async () => {
  const host = await engine();
  const schematic = { customization: { systemExtensions: { officialExtensions: ["siderolabs/gvisr"] } } };
  const lab = await preflight(stackFile({ schematic }), { DOCKER_HOST: host });
  expect(lab.code).toBe(0);
  expect(lab.lines.slice(1, 5)).toEqual([
    "warn  schematic",
    "      seen: schematic: customization.systemExtensions.officialExtensions[0]: siderolabs/gvisr: the factory has no such name for Talos v1.13.10",
    "      why:  containers have no extensions, so that the lab works; no image for servers could be built",
    "      do:   did you mean siderolabs/gvisor?",
  ]);
  const fleet = await preflight(fleetFile(undefined, { "talos-fleet:schematic": schematic }));
  expect(fleet.lines).toContain("stop  schematic");
  rig.factoryUrl = await serve({ "/versions": ["v1.13.8", "v1.13.9"] });
  const newer = await preflight(stackFile(), { DOCKER_HOST: host });
  expect(newer.lines.slice(1, 3)).toEqual([
    "warn  Talos version",
    `      seen: v1.13.10 is not among the 2 that ${rig.factoryUrl} builds`,
  ]);
});

test("a factory that does not answer is a warning", async () => {
  rig.factoryUrl = "http://127.0.0.1:1";
  const { code, lines } = await preflight(stackFile(), { DOCKER_HOST: await engine() });
  expect(code).toBe(0);
  expect(lines.slice(1, 5)).toEqual([
    "warn  Image Factory",
    expect.stringMatching(/^ {6}seen: http:\/\/127\.0\.0\.1:1 does not answer: GET .*ECONNREFUSED/),
    "      why:  it makes the schematic's images; `up` registers the schematic there, unless it did before",
    "      do:   look at the network or the proxy (HTTPS_PROXY), or name another factory with factoryUrl",
  ]);
});

test.each([
  ["an empty file", ""],
  ["two documents with a token in the first", "config:\n  hcloud:token: c4n4ry\n---\nconfig: {}\n"],
  ["no YAML", "config:\n  hcloud:token: c4n4ry\n  x: [\n"],
])("%s: faults, no JavaScript error and no token; --json prints JSON", async (_kind, text) => {
  const file = join(rig.home, "Pulumi.bad.yaml");
  write(file, text);
  const plain = await preflight(file);
  const json = await preflight(file, {}, "--json");
  expect([plain.code, json.code]).toEqual([2, 2]);
  expect(plain.errors).toMatch(/: .*: .*; /);
  expect(`${plain.errors}${json.errors}${json.lines.join("")}`).not.toMatch(/c4n4ry|TypeError|Cannot /);
  expect(JSON.parse(json.lines.join("\n"))).toEqual({
    faults: expect.arrayContaining([
      expect.objectContaining({ key: expect.any(String) as string }),
    ]) as unknown,
  });
});
