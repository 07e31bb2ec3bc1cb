/** Addresses of a schematic's assets, as the provider builds them without asking the factory. */
interface Platform {
  readonly disk?: string;
  readonly iso?: true;
  readonly pxe?: true;
  readonly secureBoot?: true;
}

/** What the platforms offer (Talos v1.13 `platforms` table). */
const platforms: Readonly<Record<string, Platform>> = {
  metal: { disk: "raw.zst", iso: true, pxe: true, secureBoot: true },
  aws: { disk: "raw.xz" },
  azure: { disk: "vhd.xz" },
  "digital-ocean": { disk: "raw.gz" },
  equinixMetal: { pxe: true },
  gcp: { disk: "raw.tar.gz" },
  hcloud: { disk: "raw.xz" },
  nocloud: { disk: "raw.xz", iso: true, pxe: true, secureBoot: true },
  openstack: { disk: "raw.xz", iso: true, pxe: true },
  oracle: { disk: "qcow2" },
  vmware: { disk: "ova", iso: true },
  vultr: { iso: true, pxe: true },
};

export interface AssetInputs {
  readonly baseUrl: string;
  readonly architecture: string;
  readonly platform: string | undefined;
  readonly sbc: string | undefined;
  readonly schematicId: string;
  readonly version: string;
}

const none = {
  diskImage: "",
  diskImageSecureboot: "",
  initramfs: "",
  installer: "",
  installerSecureboot: "",
  iso: "",
  isoSecureboot: "",
  kernel: "",
  kernelCommandLine: "",
  pxe: "",
  uki: "",
};

/** Empty strings where the platform has no such asset. Throws for a platform that it does not know. */
export function assetUrls(inputs: AssetInputs): typeof none {
  const { baseUrl, architecture: arch, schematicId, version } = inputs;
  const { host, protocol } = new URL(baseUrl);
  const image = (file: string) => `${baseUrl}/image/${schematicId}/${version}/${file}`;
  if ((inputs.platform === undefined) === (inputs.sbc === undefined))
    throw new Error("Invalid Attribute Combination: exactly one of platform and sbc must be given");
  if (inputs.platform === undefined) {
    const installer = `${host}/metal-installer/${schematicId}:${version}`;
    return { ...none, installer, diskImage: image("metal-arm64.raw.xz") };
  }
  const name = inputs.platform;
  const platform = platforms[name];
  if (platform === undefined) throw new Error(`failed to find platform: ${name}`);
  const installer = (kind: string) => `${host}/${name}-${kind}/${schematicId}:${version}`;
  const file = (suffix: string) => image(`${name}-${arch}${suffix}`);
  const { disk, iso, pxe, secureBoot } = platform;
  return {
    ...none,
    installer: installer("installer"),
    ...(secureBoot && { installerSecureboot: installer("installer-secureboot") }),
    ...(disk !== undefined && { diskImage: file(`.${disk}`) }),
    ...(disk !== undefined && secureBoot && { diskImageSecureboot: file(`-secureboot.${disk}`) }),
    ...(iso && { iso: file(".iso") }),
    ...(iso && secureBoot && { isoSecureboot: file("-secureboot.iso") }),
    ...(pxe && { pxe: `${protocol}//pxe.${host}/pxe/${schematicId}/${version}/${name}-${arch}` }),
    ...(name === "metal" && {
      kernel: image(`kernel-${arch}`),
      kernelCommandLine: image(`cmdline-metal-${arch}`),
      initramfs: image(`initramfs-${arch}.xz`),
      uki: file("-secureboot-uki.efi"),
    }),
  };
}
