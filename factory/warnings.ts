import { compareVersions } from "../base/versions";
import { renamedExtension } from "./aliases";
import { type SchematicPlatform, schematicUses } from "./platforms";
import type { Schematic } from "./types";

/** Where the schematic is going to be used; what is unknown is not warned about. */
export interface Target {
  /** `v1.13.10` */
  readonly talosVersion?: string;
  readonly platform?: SchematicPlatform;
}

/** What is allowed and yet probably not meant. */
export function schematicWarnings(schematic: Schematic, target: Target = {}): string[] {
  return [
    ...extensionWarnings(schematic.customization.officialExtensions),
    ...kernelWarnings(schematic.customization.extraKernelArgs),
    ...fieldWarnings(schematic),
    ...versionWarnings(schematic, target.talosVersion),
    ...platformWarnings(schematic, target.platform),
  ];
}

function extensionWarnings(extensions: readonly string[]): string[] {
  const warnings = extensions.flatMap((name) => {
    const renamed = renamedExtension(name);
    return renamed === undefined
      ? []
      : [`The extension ${name} is now called ${renamed}; both names give different ids.`];
  });
  const repeated = extensions.filter((name, index) => extensions.indexOf(name) !== index);
  for (const name of new Set(repeated))
    warnings.push(`The extension ${name} is listed more than once; the id counts each.`);
  if (extensions.join("\n") !== [...extensions].sort().join("\n")) {
    warnings.push(
      "The list of extensions is not sorted: the factory's web page would show another id for the same set.",
    );
  }
  return warnings;
}

function kernelWarnings(args: readonly string[]): string[] {
  if (!args.includes("net.ifnames=0")) return [];
  return [
    "net.ifnames=0 renames the interfaces of running nodes: patches that name enp1s0 and the like then match nothing.",
  ];
}

const enrollModes = ["", "off", "manual", "if-safe", "force"];

function fieldWarnings({ owner, customization }: Schematic): string[] {
  const { meta, secureboot } = customization;
  const warnings: string[] = [];
  if (owner !== "") warnings.push("owner is for Enterprise factories only: others refuse it from v1.4.0 on.");
  if (meta.length > 0)
    warnings.push("meta is written into disk images and ISOs only, never by the installer image.");
  if (!enrollModes.includes(secureboot.enrollKeys)) {
    warnings.push(
      `secureboot.enrollKeys ${secureboot.enrollKeys}: SecureBoot images need off, manual, if-safe or force.`,
    );
  }
  return warnings;
}

function versionWarnings({ overlay, customization }: Schematic, version: string | undefined): string[] {
  if (version === undefined) return [];
  const warnings: string[] = [];
  if (customization.extraKernelArgs.length > 0 && compareVersions(version, "v1.10.0") < 0) {
    warnings.push(
      `With Talos ${version} the installer ignores extraKernelArgs: it takes them from v1.10.0 on.`,
    );
  }
  if (customization.embeddedMachineConfiguration !== "" && compareVersions(version, "v1.12.0") < 0) {
    warnings.push(
      `Talos ${version} has no embeddedMachineConfiguration: the factory builds it from v1.12.0 on.`,
    );
  }
  if (overlay.name !== "" && compareVersions(version, "v1.7.0") < 0) {
    warnings.push(`Talos ${version} has no overlays: the factory builds them from v1.7.0 on.`);
  }
  return warnings;
}

function platformWarnings({ overlay }: Schematic, platform: Target["platform"]): string[] {
  if (platform === undefined) return [];
  const { boots, boards } = schematicUses[platform];
  if (!boots)
    return [
      "Docker nodes ignore the schematic: they run the plain Talos container image, without extensions.",
    ];
  if (overlay.name === "" || boards) return [];
  return [
    `The overlay ${overlay.name} is for single-board computers: a server on ${platform} may not boot with it.`,
  ];
}
