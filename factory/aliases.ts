/** Extensions that were renamed or first published under a wrong name; the factory knows both only when it builds. */
const aliases: Readonly<Record<string, string>> = {
  "siderolabs/v4l-uvc": "siderolabs/v4l-uvc-drivers",
  "siderolabs/usb-modem": "siderolabs/usb-modem-drivers",
  "siderolabs/gasket": "siderolabs/gasket-driver",
  "siderolabs/talos-vmtoolsd": "siderolabs/vmtoolsd-guest-agent",
  "siderolabs/xe-guest-utilities": "siderolabs/xen-guest-agent",
  "siderolabs/nvidia-container-toolkit": "siderolabs/nvidia-container-toolkit-lts",
  "siderolabs/nvidia-open-gpu-kernel-modules": "siderolabs/nvidia-open-gpu-kernel-modules-lts",
  "siderolabs/nonfree-kmod-nvidia": "siderolabs/nonfree-kmod-nvidia-lts",
  "siderolabs/nvidia-fabricmanager": "siderolabs/nvidia-fabric-manager-lts",
  "siderolabs/i915-ucode": "siderolabs/i915",
  "siderolabs/amdgpu-firmware": "siderolabs/amdgpu",
};

/** The present name of a renamed extension; undefined for every other name. */
export function renamedExtension(name: string): string | undefined {
  return Object.hasOwn(aliases, name) ? aliases[name] : undefined;
}
