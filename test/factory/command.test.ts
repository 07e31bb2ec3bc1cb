import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { register } from "../../ops/schematic/command";

const folder = mkdtempSync(join(tmpdir(), "schematic-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  process.exitCode = undefined;
  jest.restoreAllMocks();
});

/** Runs the sub-command in this process and gives what it printed and its exit code. */
function run(...words: string[]): { out: string; err: string; code: unknown } {
  let [out, err] = ["", ""];
  jest.spyOn(process.stdout, "write").mockImplementation((text) => ((out += String(text)), true));
  jest.spyOn(process.stderr, "write").mockImplementation((text) => ((err += String(text)), true));
  const program = new Command().exitOverride();
  register(program);
  program.parse(["node", "talos-fleet", "schematic", ...words]);
  return { out, err, code: process.exitCode };
}

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const id = "613e1592b2da41ae5e265e8789429f22e121aab91cb4deb6bc3c0b6262961245";
const longhorn = join(__dirname, "../../factory/testdata/schematics/longhorn-utf8-comments.yaml");

test("shows id and references", () => {
  const { out, code } = run(longhorn, "--talos-version", "1.13.9", "--arch", "arm64");
  expect(code).toBeUndefined();
  expect(out.split("\n")).toEqual([
    `id                ${id}`,
    "certain           yes: every known factory computes this id",
    `metal-installer   factory.talos.dev/metal-installer/${id}:v1.13.9`,
    `hcloud-installer  factory.talos.dev/hcloud-installer/${id}:v1.13.9`,
    `metal disk image  https://factory.talos.dev/image/${id}/v1.13.9/metal-arm64.raw.zst`,
    `hcloud disk image https://factory.talos.dev/image/${id}/v1.13.9/hcloud-arm64.raw.xz`,
    `metal ISO         https://factory.talos.dev/image/${id}/v1.13.9/metal-arm64.iso`,
    "Docker nodes run  ghcr.io/siderolabs/talos:v1.13.9",
    "",
  ]);
});

test("without --arch every reference of an architecture is shown for both", () => {
  const { out } = run(longhorn);
  for (const name of ["metal disk image", "hcloud disk image", "metal ISO"]) {
    const lines = out.split("\n").filter((line) => line.startsWith(name));
    expect(lines.map((line) => /-(amd64|arm64)\./.exec(line)?.[1])).toEqual(["amd64", "arm64"]);
    expect(lines.map((line) => line.slice(name.length, name.length + 7))).toEqual([" amd64 ", " arm64 "]);
  }
  const columns = out
    .trimEnd()
    .split("\n")
    .map((line) => line.search(/\S+$/));
  expect(new Set(columns.filter((_, row) => row !== 1))).toEqual(new Set([24]));
  expect(out.match(/installer/g)).toHaveLength(4);
});

test("--text adds the canonical text", () => {
  expect(run(longhorn, "--text").out).toMatch(
    /\n\ncustomization:\n {4}systemExtensions:\n {8}officialExtensions:\n {12}- siderolabs\/iscsi-tools\n {12}- siderolabs\/util-linux-tools\n$/,
  );
});

test("--json has everything", () => {
  const data = JSON.parse(run(longhorn, "--json").out) as Record<string, unknown>;
  expect(data).toMatchObject({
    id,
    certain: true,
    warnings: [],
    text: expect.stringMatching(/^customization:/) as string,
  });
  expect(data["images"]).toMatchObject({
    amd64: { metal: { iso: expect.stringMatching(/metal-amd64\.iso$/) as string } },
    arm64: { hcloud: { diskImage: expect.stringMatching(/hcloud-arm64\.raw\.xz$/) as string } },
  });
  const one = JSON.parse(run(longhorn, "--json", "--arch", "arm64").out) as { images: object };
  expect(Object.keys(one.images)).toEqual(["arm64"]);
});

test("an id that depends on the factory is shown with all candidates", () => {
  const { out, code } = run(file("off.yaml", "customization: {secureboot: {enrollKeys: off}}"));
  expect(code).toBeUndefined();
  expect(out).toMatch(/^certain {17}no: it depends on the factory's version$/m);
  expect(out.match(/^ {2}candidate +[0-9a-f]{64} factory v/gm)).toHaveLength(2);
  expect(out).toContain("warning: The id depends on the factory's version");
});

test("a bad schematic: every fault, exit code 2", () => {
  const path = file("bad.yaml", "something: 1\ncustomization: {systemExtension: {}}\n");
  const { out, err, code } = run(path);
  expect({ out, code }).toEqual({ out: "", code: 2 });
  expect(err.trim().split("\n")).toEqual([
    `${path}:1 something: unknown key: known here: owner, overlay, customization; remove it, or write one of these`,
    expect.stringContaining(`${path}:2 customization.systemExtension: unknown key`),
  ]);
});

test("a bad schematic as JSON", () => {
  const { out, code } = run(file("bad.yaml", "something: 1"), "--json");
  expect(code).toBe(2);
  expect((JSON.parse(out) as { faults: unknown[] }).faults).toHaveLength(1);
});

test.each([
  ["no file", () => ["/nonexistent.yaml"], /cannot be read \(no such file\)/],
  [
    "not UTF-8",
    () => [file("latin.yaml", Buffer.from([0x23, 0xe9, 0x0a]))],
    /cannot be read \(it is not UTF-8 text\)/,
  ],
  ["a bad version", () => [longhorn, "--talos-version", "v1.13"], /talosVersion: v1\.13/],
  ["a bad architecture", () => [longhorn, "--arch", "x86"], /--arch: x86/],
])("%s: exit code 2", (_, words, message) => {
  const { err, code } = run(...words());
  expect(code).toBe(2);
  expect(err).toMatch(message);
});

test("two bad flags are told at once", () => {
  const { err, code } = run(longhorn, "--arch", "x86", "--talos-version", "latest");
  expect(code).toBe(2);
  expect(err).toContain("--arch: x86: ");
  expect(err).toContain("latest");
});
