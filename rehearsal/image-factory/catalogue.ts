/** What the simulated factory can build: enough of the real lists for the committed stacks and their tests. */
export interface Catalogue {
  /** Talos versions, oldest first. */
  readonly versions: readonly string[];
  readonly extensions: readonly string[];
  readonly overlays: readonly { readonly name: string; readonly image: string }[];
}

export const defaultCatalogue: Catalogue = {
  versions: ["v1.12.8", "v1.13.8", "v1.13.9", "v1.13.10", "v1.14.0-rc.1"],
  extensions: [
    "siderolabs/amd-ucode",
    "siderolabs/amdgpu",
    "siderolabs/gvisor",
    "siderolabs/i915",
    "siderolabs/intel-ucode",
    "siderolabs/iscsi-tools",
    "siderolabs/multipath-tools",
    "siderolabs/nvme-cli",
    "siderolabs/qemu-guest-agent",
    "siderolabs/realtek-firmware",
    "siderolabs/util-linux-tools",
    "siderolabs/zfs",
  ],
  overlays: [
    { name: "rpi_generic", image: "siderolabs/sbc-raspberrypi" },
    { name: "rockpi4c", image: "siderolabs/sbc-rockchip" },
    { name: "pine64", image: "siderolabs/sbc-allwinner" },
  ],
};
