import { resolveSchematic } from "../../factory/resolve";
import type { Target } from "../../factory/warnings";
import { args, extensions } from "./support";

function warnings(text: string, target: Target = {}): readonly string[] {
  const result = resolveSchematic(text, "schematic", target);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.schematic.warnings;
}

test("a sorted list without anything special has none", () => {
  const text = extensions("iscsi-tools", "util-linux-tools");
  expect(warnings(text, { talosVersion: "v1.13.10", platform: "hetzner" })).toEqual([]);
});

test.each([
  ["an unsorted list", extensions("zfs", "iscsi-tools"), {}, /not sorted.*web page/],
  ["a repeated extension", extensions("zfs", "zfs"), {}, /siderolabs\/zfs is listed more than once/],
  [
    "a renamed extension",
    extensions("i915-ucode"),
    {},
    /siderolabs\/i915-ucode is now called siderolabs\/i915;/,
  ],
  ["interface names", args("net.ifnames=0"), {}, /net\.ifnames=0 renames/],
  ["Docker", "{}", { platform: "docker" }, /Docker nodes ignore the schematic/],
  ["an owner", "owner: alice", {}, /Enterprise/],
  ["meta", "customization: {meta: [{key: 10, value: x}]}", {}, /never by the installer image/],
  [
    "a strange enrollKeys",
    "customization: {secureboot: {enrollKeys: always}}",
    {},
    /off, manual, if-safe or force/,
  ],
  [
    "args before 1.10",
    args("quiet"),
    { talosVersion: "v1.9.6" },
    /v1\.9\.6 the installer ignores extraKernelArgs/,
  ],
  [
    "embedded config before 1.12",
    "customization: {embeddedMachineConfiguration: a}",
    { talosVersion: "v1.11.0" },
    /v1\.11\.0 has no embedded/,
  ],
  ["overlay before 1.7", "overlay: {name: x}", { talosVersion: "v1.6.8" }, /v1\.6\.8 has no overlays/],
] as const)("%s", (...[, text, target, message]) => {
  expect(warnings(text, target)).toEqual([expect.stringMatching(message)]);
});

test.each([
  ["args", args("quiet"), "v1.10.0"],
  ["embedded config", "customization: {embeddedMachineConfiguration: a}", "v1.12.0-beta.1"],
  ["overlay", "overlay: {name: x}", "v1.7.0"],
])("%s from the first version that has it", (_, text, talosVersion) => {
  expect(warnings(text, { talosVersion })).toEqual([]);
});
