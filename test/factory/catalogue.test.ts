import { catalogueFaults } from "../../factory/catalogue";
import { asYaml, resolved } from "./support";

const catalogue = {
  talosVersion: "v1.13.10",
  extensions: ["siderolabs/i915", "siderolabs/iscsi-tools", "siderolabs/qlogic-firmware", "siderolabs/zfs"],
  overlays: ["rpi_generic", "rockpi4c"],
};

function faults(...officialExtensions: string[]) {
  const { spec } = resolved(asYaml({ customization: { systemExtensions: { officialExtensions } } }));
  return catalogueFaults(spec, catalogue);
}

test("names the extension, the version and the nearest name (C003)", () => {
  expect(faults("siderolabs/zfs", "siderolabs/qlogic-frmware")).toEqual([
    {
      key: "customization.systemExtensions.officialExtensions[1]",
      value: "siderolabs/qlogic-frmware",
      rule: "the factory has no such name for Talos v1.13.10",
      repair: "did you mean siderolabs/qlogic-firmware?",
    },
  ]);
});

test("a missing prefix is suggested", () => {
  expect(faults("iscsi-tools")).toEqual([
    expect.objectContaining({ repair: "did you mean siderolabs/iscsi-tools?" }),
  ]);
});

test("renamed extensions are found by their old name", () => {
  expect(faults("siderolabs/i915-ucode")).toEqual([]);
});

test("an overlay that is not official is refused whatever its image (C001)", () => {
  const { spec } = resolved(
    "overlay: {image: registry.example.net/library/sbc-raspberrypi:v0.1.0, name: sbc-raspberrypi}",
  );
  expect(catalogueFaults(spec, catalogue)).toEqual([
    expect.objectContaining({
      key: "overlay.name",
      value: "sbc-raspberrypi",
      rule: expect.stringContaining("v1.13.10") as string,
    }),
  ]);
  expect(catalogueFaults(spec, { ...catalogue, overlays: [] })).toEqual([
    expect.objectContaining({ repair: "remove it: the factory offers none" }),
  ]);
});
