import type { Disk, Image, Labels } from "./model";
import type { World } from "./world";

const otherDisk: Disk = { kind: "other", version: "", schematic: "" };

/** Hetzner's own images, by name and architecture. */
export function seedSystemImages(world: World): void {
  for (const version of ["12", "13"]) {
    for (const architecture of ["x86", "arm"]) {
      world.images.add({
        ...world.fresh(`debian-${version}`, {}),
        status: "available",
        type: "system",
        description: `Debian ${version}`,
        image_size: null,
        disk_size: 5,
        created_from: null,
        os_flavor: "debian",
        os_version: version,
        architecture,
        rapid_deploy: true,
        seeded: true,
        disk: otherDisk,
      });
    }
  }
}

export interface TalosSnapshot {
  readonly talosVersion: string;
  /** 64 hex digits. */
  readonly schematicId: string;
  readonly architecture?: "x86" | "arm";
  readonly labels?: Labels;
}

/** A Talos snapshot that the account already holds, as a 40 GB builder leaves it. */
export function seedTalosSnapshot(world: World, snapshot: TalosSnapshot): Image {
  const { talosVersion, schematicId } = snapshot;
  // A label value has 63 characters at most: one too few for a schematic id.
  const labels = {
    os: "talos",
    "talos-version": talosVersion,
    schematic: schematicId.slice(0, 32),
    ...snapshot.labels,
  };
  return world.images.add({
    ...world.fresh("", labels),
    status: "available",
    type: "snapshot",
    description: `Talos ${talosVersion}`,
    image_size: 0.4,
    disk_size: 40,
    created_from: { id: 1, name: "talos-builder" },
    os_flavor: "unknown",
    os_version: null,
    architecture: snapshot.architecture ?? "x86",
    rapid_deploy: false,
    seeded: true,
    disk: { kind: "talos", version: talosVersion, schematic: schematicId },
  });
}
